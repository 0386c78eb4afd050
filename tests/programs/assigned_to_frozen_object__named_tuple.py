# expects: assigned-to-frozen-object at 15
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array
    step: int


def move(state, velocity):
    position = state.position + velocity
    state.position = position
    state.step += 1
    return state


state = State(jnp.zeros(2), 0)
for _ in range(3):
    state = move(state, jnp.ones(2))
print(state.position, state.step)
