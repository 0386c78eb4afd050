# expects: check follows-the-step
# says: Your noise is the same for neighbouring steps: the number that goes into the key has lost
#     its digits after the point.
"""Folds in a fraction, of which only the integer part counts."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.fold_in(key, step / 10), shape)
