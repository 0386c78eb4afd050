# expects: check primitive
# says: Your values are right, but they come from library functions that read the numbers twice.
#     Use one pass with a carry.
"""Lets the library do it, in two passes."""

import jax.numpy as jnp


def welford(xs):
    return {"mean": jnp.mean(xs), "var": jnp.var(xs)}
