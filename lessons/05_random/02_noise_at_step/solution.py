"""A key for every step: noise that depends on a key and a number."""

import jax


def noise(key, step, shape):
    """Return standard normal noise of this shape for one step."""
    step_key = jax.random.fold_in(key, step)  # step may be traced
    return jax.random.normal(step_key, shape)
