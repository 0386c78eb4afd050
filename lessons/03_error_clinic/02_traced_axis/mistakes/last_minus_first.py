# expects: check values
# says: Your answer is the last element along the axis minus the first. The values are in no order:
#     look for the largest and the smallest.
"""Takes the ends of the axis for the largest and the smallest value."""

from functools import partial

import jax
import jax.numpy as jnp


def make_reducer():
    @partial(jax.jit, static_argnames="axis")
    def g(x, axis):
        ordered = jnp.moveaxis(x, axis, 0)
        return ordered[-1] - ordered[0]

    return g
