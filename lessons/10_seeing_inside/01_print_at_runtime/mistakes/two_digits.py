# expects: format-of-tracer at 9
"""Wants two digits of a tracer."""

import jax.numpy as jnp


def traced_sum(x):
    s = jnp.sum(x)
    print(f"s={s:.2f}")
    return s
