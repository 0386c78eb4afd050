# expects: check values
# says: Your answer corrects all steps of one run with the same step number. A count that Python
#     keeps goes up only while tracing; the count belongs in the state, as an array.
"""Keeps the count in an object, where a compiled step does not look again."""

import jax
import jax.numpy as jnp


class Adam:
    def __init__(self):
        self.t = 0

    def update(self, grads, state, params, lr):
        self.t += 1
        t = self.t
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)

        def move(p, m, v):
            return p - lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

        return jax.tree.map(move, params, m, v), {"m": m, "v": v}


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"m": zeros, "v": zeros}


adam_update = Adam().update
