# expects: check values
# says: Your answer is padded with 0 beyond the length of `x`. All padding must be -1.
"""Pads with -1 up to the length of x, and with 0 beyond it."""

import jax.numpy as jnp


def positive_indices(x, size):
    (found,) = jnp.nonzero(x > 0, size=min(size, x.size), fill_value=-1)
    return jnp.pad(found, (0, size - found.size))
