# expects: traced-bool-in-builtin-minmax at 8
"""Takes the larger one with Python's `max`."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.sign(x) * max(abs(x) - lam, 0)
