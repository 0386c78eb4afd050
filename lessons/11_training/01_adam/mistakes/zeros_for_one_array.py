# expects: container-for-array at 9
"""Asks for zeros shaped like a dict, as if it were an array."""

import jax
import jax.numpy as jnp


def adam_init(params):
    return {"step": jnp.int32(0), "m": jnp.zeros_like(params), "v": jnp.zeros_like(params)}


def adam_update(grads, state, params, lr):
    t = state["step"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)

    def move(p, m, v):
        return p - lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

    return jax.tree.map(move, params, m, v), {"step": t, "m": m, "v": v}
