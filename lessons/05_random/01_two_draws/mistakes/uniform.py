# expects: check normal
# says: Your numbers are not from the standard normal distribution: they lie between 0 and 1.
"""Draws from another distribution."""

import jax


def two_normals(key, n):
    return jax.random.uniform(key, (2, n))
