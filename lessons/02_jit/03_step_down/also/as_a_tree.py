"""Uses the function that also steps through trees of arrays."""

import jax


def step_down(height, place, rate):
    slope = jax.grad(height)(place)
    return jax.tree.map(lambda p, s: p - rate * s, place, slope)
