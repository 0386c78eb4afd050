# expects: check follows-the-step
# says: Your noise is the same for all late steps: they share the last of a limited number of
#     keys.
"""Makes a thousand keys and takes one; an index past the end is clamped."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.split(key, 1000)[step], shape)
