# expects: check dtype
# says: Your numbers are right, but a bfloat16 parameter comes back as float32. Under `jax.jit` a
#     power of the traced count is a strong float32, and it promotes what it meets.
"""Lets the float32 of the correction spread to every parameter."""

import jax
import jax.numpy as jnp


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"step": jnp.int32(0), "m": zeros, "v": zeros}


def averages(grads, state):
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)
    return m, v


def adam_update(grads, state, params, lr):
    t = state["step"] + 1
    m, v = averages(grads, state)

    def move(p, m, v):
        return p - lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

    return jax.tree.map(move, params, m, v), {"step": t, "m": m, "v": v}
