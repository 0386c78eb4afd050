# expects: traced-shape-arg at 10
"""Allocates the answer, and its size is traced."""

import jax
import jax.numpy as jnp


@jax.jit
def jit_with_static_n(x, n):
    return jnp.zeros((n * x.shape[0],), x.dtype) + x
