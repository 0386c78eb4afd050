# expects: check traces-once
# says: Your numbers are right, but each step compiles a new program. The count is part of the
#     structure of your state; as an array it is data, and is traced.
"""Makes the count a static field: a new program for each step."""

import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    m: object
    v: object
    step: int = dataclasses.field(metadata={"static": True})


def adam_init(params):
    zeros = jax.tree.map(jnp.zeros_like, params)
    return State(zeros, zeros, 0)


def adam_update(grads, state, params, lr):
    t = state.step + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state.v, grads)

    def move(p, m, v):
        return p - lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)

    return jax.tree.map(move, params, m, v), State(m, v, t)
