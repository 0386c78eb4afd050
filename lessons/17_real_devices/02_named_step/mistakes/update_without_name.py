# expects: check named
# says: Some of your operations have no name: the arithmetic that makes the new weights is outside
#     of every scope.
"""Names only what is differentiated."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.named_scope("network"):
            predicted = jnp.tanh(x @ w["in"]) @ w["out"]
        with jax.named_scope("loss"):
            return jnp.mean((predicted - y) ** 2)

    loss, slope = jax.value_and_grad(loss_of)(w)
    return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
