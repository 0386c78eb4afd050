# expects: scan-carry-shape-change at 10
from typing import NamedTuple

import jax
import jax.numpy as jnp


def simulate(start, forces):
    def step(state, force):
        return State(state.place + force, reward=-jnp.abs(state.place)), state.place

    return jax.lax.scan(step, start, forces)


class State(NamedTuple):
    place: jax.Array
    reward: jax.Array


print(simulate(State(jnp.float32(0.0), reward=jnp.zeros(1)), jnp.ones(5)))
