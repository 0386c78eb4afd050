# expects: check values
# says: Your step goes uphill: the gradient is added.
"""Adds the gradient."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    def loss_of(params):
        w1, w2, rows = (a.astype(jnp.bfloat16) for a in (params["w1"], params["w2"], x))
        out = jnp.tanh(rows @ w1) @ w2
        return jnp.mean((out.astype(jnp.float32) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p + lr * g, params, grads), loss
