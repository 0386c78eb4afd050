# expects: check equations
"""Loops in Python."""

import jax.numpy as jnp


def recur(a, b):
    h, all_h = jnp.zeros_like(b[0]), []
    for t in range(len(a)):
        h = a[t] * h + b[t]
        all_h.append(h)
    return jnp.stack(all_h)
