# expects: result-not-unpacked at 22
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array
    count: jax.Array


def sample(key, state):
    position = state.position + 0.1 * jax.random.normal(key, state.position.shape)
    return State(position, state.count + 1), jnp.abs(position).max()


step = jax.jit(sample)
state = State(jnp.zeros(2), jnp.array(0))
path = []
for key in jax.random.split(jax.random.key(0), 3):
    state = step(key, state)
    path.append(state.position)
print(jnp.stack(path).shape)
