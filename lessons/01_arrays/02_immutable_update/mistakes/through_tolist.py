# expects: tolist-on-tracer at 8
"""Changes a list of the numbers."""

import jax.numpy as jnp


def replace_at(x, i, v):
    values = x.tolist()
    values[i] = v
    return jnp.array(values)
