# expects: check named
# says: Your names are not those of the problem: `network`, `loss` and `update`.
"""Uses names of its own."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.named_scope("forward"):
            predicted = jnp.tanh(x @ w["in"]) @ w["out"]
        with jax.named_scope("error"):
            return jnp.mean((predicted - y) ** 2)

    loss, slope = jax.value_and_grad(loss_of)(w)
    with jax.named_scope("sgd"):
        return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
