# expects: check follows-the-step
"""Makes a seed of the step by a division, which is a float."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.key(step / 2), shape)
