# expects: cond-branch-structure-mismatch at 20
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Walker(NamedTuple):
    place: jax.Array
    steps: jax.Array


def move(walker, direction):
    return Walker(walker.place + direction, walker.steps + 1)


@jax.jit
def maybe(walker, direction, goes):
    def rest(walker):
        return (walker.place, walker.steps)

    return jax.lax.cond(goes, lambda w: move(w, direction), rest, walker)


maybe(Walker(jnp.zeros(2), jnp.int32(0)), jnp.ones(2), True)
