# expects: check follows-the-step
# says: Your noise is the same for two neighbouring steps: the step was turned into a fraction,
#     and a seed has no digits after the point.
"""Divides the step to get a seed, which makes it a float."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.key(step / 2), shape)
