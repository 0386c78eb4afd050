# expects: check normal
# says: Your numbers have the right mean and spread, but they come from a uniform distribution:
#     none lies beyond -2 and 2.
"""Draws uniform numbers with the mean and the spread of normal ones."""

import jax


def noise(key, step, shape):
    return 12**0.5 * (jax.random.uniform(jax.random.fold_in(key, step), shape) - 0.5)
