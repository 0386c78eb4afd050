# expects: check normal
"""Multiplies one noise by the step."""

import jax


def noise(key, step, shape):
    return (step + 1) * jax.random.normal(key, shape)
