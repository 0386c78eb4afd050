# expects: check values
# says: Your answer is the place after two steps. One is asked for.
"""Makes two steps."""

import jax


def step_down(height, place, rate):
    for _ in range(2):
        place = place - rate * jax.grad(height)(place)
    return place
