# expects: nothing
import sys

import jax.numpy as jnp


def take(values, most=sys.maxsize):
    """Return values, at most so many: Python compares these integers."""
    return values[: min(most, len(values))]


limit = jnp.iinfo(jnp.int32).max
print(take(jnp.arange(3)), jnp.minimum(jnp.arange(3), limit), jnp.arange(3) * 2.0**40)
