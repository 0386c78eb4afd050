# expects: check small-steps
# says: Your weights have the dtype `float32`, and the digits of `bfloat16`: each step rounds them.
"""Casts the weights to bfloat16, steps, and casts back."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    small, rows = jax.tree.map(lambda a: a.astype(jnp.bfloat16), (params, x))

    def loss_of(small):
        out = jnp.tanh(rows @ small["w1"]) @ small["w2"]
        return jnp.mean((out.astype(jnp.float32) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_of)(small)
    moved = jax.tree.map(lambda p, g: p - lr * g, small, grads)
    return jax.tree.map(lambda p: p.astype(jnp.float32), moved), loss
