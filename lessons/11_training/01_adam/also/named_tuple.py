"""The state is a named tuple, and the step a Python number to begin with."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Adam(NamedTuple):
    step: jax.Array | int
    m: object
    v: object


def adam_init(params):
    return Adam(0, jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params))


@jax.jit
def adam_update(grads, state, params, lr):
    t = state.step + 1
    m = jax.tree.map(lambda m, g: m + (g - m) * 0.1, state.m, grads)
    v = jax.tree.map(lambda v, g: v + (g * g - v) * 0.001, state.v, grads)
    params = jax.tree.map(
        lambda p, m, v: p - lr * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8),
        params,
        m,
        v,
    )
    return params, Adam(t, m, v)
