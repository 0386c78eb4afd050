# expects: check values
# says: Your answer is a single number. The draw has to know the shape.
"""Forgets the shape."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.fold_in(key, step))
