# expects: check follows-the-step
# says: Your noise grows with the step. Every step should have noise of the same size, from a key
#     of its own.
"""Multiplies one noise by the step."""

import jax


def noise(key, step, shape):
    return (step + 1) * jax.random.normal(key, shape)
