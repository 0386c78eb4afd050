# expects: check prints
"""Fills the string in while tracing."""

import jax
import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    jax.debug.print(f"s={s}")
    return s
