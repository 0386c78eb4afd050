# expects: check normal
# says: Your numbers have the right mean and spread, but they come from a uniform distribution:
#     none lies beyond -2 and 2.
"""Draws uniform numbers with the mean and the spread of normal ones."""

import jax


def two_normals(key, n):
    return jax.random.uniform(key, (2, n), minval=-(3**0.5), maxval=3**0.5)
