# expects: range-of-tracer at 10
"""Loops over a traced count."""

import jax
import jax.numpy as jnp


@jax.jit
def joined(x, n):
    return jnp.concatenate([x for _ in range(n)])


def jit_with_static_n(x, n):
    return joined(x, int(n))
