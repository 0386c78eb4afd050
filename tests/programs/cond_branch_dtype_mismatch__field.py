# expects: cond-branch-dtype-mismatch at 14
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    height: jax.Array
    bounces: jax.Array


def reset(key):
    return State(jax.random.uniform(key), 0.0)


def step(key, state):
    height = state.height - 0.3
    fallen = State(-height, state.bounces + 1)
    over = fallen.bounces > 3
    return jax.lax.cond(over, lambda: reset(key), lambda: fallen)


print(step(jax.random.key(0), State(jnp.array(0.2), jnp.array(1))))
