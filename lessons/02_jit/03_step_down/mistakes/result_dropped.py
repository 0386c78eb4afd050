# expects: at-set-result-dropped at 8
"""Takes `.add` for a command."""

import jax


def step_down(height, place, rate):
    place.at[...].add(-rate * jax.grad(height)(place))
    return place
