# expects: traced-shape-arg at 10
"""Allocates the answer, and its size is traced."""

import jax
import jax.numpy as jnp


@jax.jit
def filled(x, n):
    out = jnp.zeros((n * x.shape[0],), x.dtype)
    for i in range(n):
        out = out.at[i * x.shape[0] : (i + 1) * x.shape[0]].set(x)
    return out


def jit_with_static_n(x, n):
    return filled(x, int(n))
