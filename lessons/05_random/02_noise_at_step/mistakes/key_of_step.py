# expects: check follows-the-key
"""Takes the step for a seed and ignores the key."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.key(step), shape)
