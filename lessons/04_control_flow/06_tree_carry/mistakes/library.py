# expects: check primitive
"""Lets the library do it, in two passes."""

import jax.numpy as jnp


def welford(xs):
    return {"mean": jnp.mean(xs), "var": jnp.var(xs)}
