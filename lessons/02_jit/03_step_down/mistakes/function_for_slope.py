# expects: check jaxpr
# says: You multiply by the function that `jax.grad` returns. Call it with the place first.
"""Does not call the gradient."""

import jax


def step_down(height, place, rate):
    return place - rate * jax.grad(height)
