# expects: check parts
# says: A part of your loss is computed while the scope of the network is open.
"""Takes the difference in the scope of the network."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.named_scope("network"):
            error = jnp.tanh(x @ w["in"]) @ w["out"] - y
        with jax.named_scope("loss"):
            return jnp.mean(error**2)

    loss, slope = jax.value_and_grad(loss_of)(w)
    with jax.named_scope("update"):
        return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
