# expects: check values
# says: Your answer is off only where gradients are small: there the `1e-8` counts. It is added to
#     the root of the corrected `v_hat`, and your answer adds it before the correction.
"""Moves both corrections into the rate, and so adds the small number to another root."""

import jax
import jax.numpy as jnp


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"step": jnp.int32(0), "m": zeros, "v": zeros}


def adam_update(grads, state, params, lr):
    t = state["step"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)
    rate = lr * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)

    def move(p, m, v):
        return (p - rate * m / (jnp.sqrt(v) + 1e-8)).astype(p.dtype)

    return jax.tree.map(move, params, m, v), {"step": t, "m": m, "v": v}
