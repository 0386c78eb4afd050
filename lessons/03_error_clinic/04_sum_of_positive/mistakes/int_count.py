# expects: int-on-tracer at 8
"""Makes a Python integer of the count."""

import jax.numpy as jnp


def mean_of_positive(x):
    count = int((x > 0).sum())
    return jnp.where(x > 0, x, 0).sum() / max(count, 1)
