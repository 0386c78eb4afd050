# expects: lax-dtypes-differ at 15
from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    place: jax.Array
    spent: jax.Array


def pick(is_over, start, state):
    # The fields `spent` are an integer and a float.
    return jax.tree.map(lambda new, old: jax.lax.select(is_over, new, old), start, state)


start = State(jnp.zeros(2), jnp.zeros((), jnp.int32))
state = State(jnp.ones(2), jnp.float32(0.5))
print(jax.jit(pick)(jnp.bool_(True), start, state))
