# expects: check values
# says: `jnp.gradient` returns the differences between the neighbours in an array, and a height is
#     one number. The gradient of a function is `jax.grad`.
"""Takes NumPy's function of a similar name."""

import jax.numpy as jnp


def uphill(height, place):
    return jnp.gradient(height(place))
