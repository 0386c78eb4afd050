# expects: check follows-the-key
# says: Your noise is the same for every key: its key comes from the step alone. Both should take
#     part.
"""Uses the step as a seed and ignores the key."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.key(step), shape)
