# expects: check products
# says: Some products of yours are in `float32`: one operand of that dtype is enough.
"""Casts the weights and not the rows."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    def loss_of(params):
        w1, w2 = (params[name].astype(jnp.bfloat16) for name in ("w1", "w2"))
        out = jnp.tanh(x @ w1) @ w2
        return jnp.mean((out.astype(jnp.float32) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss
