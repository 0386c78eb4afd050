# expects: check values
# says: Your answer corrects all steps of one run with the same step number. A count that Python
#     keeps goes up only while tracing; the count belongs in the state, as an array.
"""Counts in a global: the program keeps the count of its trace."""

import jax
import jax.numpy as jnp


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"step": jnp.int32(0), "m": zeros, "v": zeros}


def averages(grads, state):
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)
    return m, v


steps_made = 0


def adam_update(grads, state, params, lr):
    global steps_made
    steps_made += 1
    t = steps_made
    m, v = averages(grads, state)

    def move(p, m, v):
        return p - lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

    return jax.tree.map(move, params, m, v), {"step": state["step"] + 1, "m": m, "v": v}
