# expects: check values
# says: Your loss is that of the new weights. The problem asks for the loss before the step.
"""Computes the loss again after the step."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.named_scope("network"):
            predicted = jnp.tanh(x @ w["in"]) @ w["out"]
        with jax.named_scope("loss"):
            return jnp.mean((predicted - y) ** 2)

    slope = jax.grad(loss_of)(w)
    with jax.named_scope("update"):
        w = jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope)
    return w, loss_of(w)
