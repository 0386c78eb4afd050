"""A key for every step: noise that depends on a key and a number."""

import jax


def noise(key, step, shape):
    """Return standard normal noise of this shape for one step."""
    # TODO: every step gets the same noise.
    return jax.random.normal(key, shape)
