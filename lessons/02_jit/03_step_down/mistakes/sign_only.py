# expects: check values
# says: Your step has the same length in every coordinate. The steeper it is, the longer the step
#     should be.
"""Uses the sign of the gradient."""

import jax
import jax.numpy as jnp


def step_down(height, place, rate):
    return place - rate * jnp.sign(jax.grad(height)(place))
