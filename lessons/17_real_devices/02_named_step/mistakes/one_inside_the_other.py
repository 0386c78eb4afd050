# expects: check parts
# says: Your loss begins while the scope of the network is open, so its operations have both
#     names.
"""Opens the scope of the loss inside that of the network."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.named_scope("network"):
            predicted = jnp.tanh(x @ w["in"]) @ w["out"]
            with jax.named_scope("loss"):
                return jnp.mean((predicted - y) ** 2)

    loss, slope = jax.value_and_grad(loss_of)(w)
    with jax.named_scope("update"):
        return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
