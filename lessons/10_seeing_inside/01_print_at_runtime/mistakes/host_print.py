# expects: impure-print at 9
"""Prints while tracing."""

import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    print(f"s={s}")
    return s
