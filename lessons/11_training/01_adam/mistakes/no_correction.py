# expects: check values
# says: Your answer uses `m` and `v` as they are. Both start at 0 and are too small in the first
#     steps, so the problem divides each of them before it is used.
"""Leaves the correction out: the first steps are three times too large."""

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
    m, v = averages(grads, state)

    def move(p, m, v):
        return p - lr * m / (jnp.sqrt(v) + 1e-8)

    return jax.tree.map(move, params, m, v), {"step": state["step"] + 1, "m": m, "v": v}
