# expects: traced-bool-in-assert at 8
"""States what it needs with Python's `assert`."""

import jax.numpy as jnp


def safe_clip_positive(x):
    assert not jnp.isnan(x).any(), "NaN in x"
    return jnp.where(x < 0, 0, x)
