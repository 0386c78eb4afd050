# expects: range-of-tracer at 10
"""Loops over a traced count."""

import jax
import jax.numpy as jnp


@jax.jit
def jit_with_static_n(x, n):
    return jnp.concatenate([x for _ in range(n.astype(int))])
