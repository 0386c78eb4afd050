# expects: check products
# says: Some products of yours are in `float32`: one operand of that dtype is enough.
"""Casts back between the layers."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    def loss_of(params):
        units = jnp.tanh(x.astype(jnp.bfloat16) @ params["w1"].astype(jnp.bfloat16))
        out = units.astype(jnp.float32) @ params["w2"]
        return jnp.mean((out - y) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss
