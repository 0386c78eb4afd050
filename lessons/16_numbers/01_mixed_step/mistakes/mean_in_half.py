# expects: check sums
# says: Your loss is averaged in `bfloat16`. With many rows it is wrong in the third digit.
"""Averages in bfloat16, and casts the result."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    def loss_of(params):
        w1, w2, rows, wanted = (
            a.astype(jnp.bfloat16) for a in (params["w1"], params["w2"], x, y)
        )
        errors = (jnp.tanh(rows @ w1) @ w2 - wanted) ** 2
        return jnp.mean(errors).astype(jnp.float32)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss
