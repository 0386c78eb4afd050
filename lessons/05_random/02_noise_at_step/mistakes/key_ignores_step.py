# expects: check follows-the-step
# says: Your noise does not depend on the step. The key of the draw must depend on it.
"""Splits the key, but never looks at the step."""

import jax


def noise(key, step, shape):
    key, sub = jax.random.split(key)
    return jax.random.normal(sub, shape)
