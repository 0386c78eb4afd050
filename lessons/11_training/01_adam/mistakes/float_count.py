# expects: check state
# says: Nothing in your state is an int32 that counts. A float32 count gives the same numbers at
#     first, and stops at 16,777,216, where adding 1 changes nothing.
"""Counts with a float: the step after 16777216 is 16777216."""

import jax
import jax.numpy as jnp


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"step": jnp.float32(0), "m": zeros, "v": zeros}


def averages(grads, state):
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)
    return m, v


def adam_update(grads, state, params, lr):
    t = state["step"] + 1
    m, v = averages(grads, state)

    def move(p, m, v):
        step = (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return p - lr * step.astype(p.dtype)

    return jax.tree.map(move, params, m, v), {"step": t, "m": m, "v": v}
