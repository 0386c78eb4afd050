# expects: associative-scan-over-parts at 16
import sys

import jax
import jax.numpy as jnp

sys.setrecursionlimit(400)  # the error comes sooner; it may take minutes otherwise


def join(left, right):
    return jnp.stack([left[0] * right[0], right[0] * left[1] + right[1]])


a, b = jnp.full(5, 0.5), jnp.ones(5)
stacked = jnp.stack([a, b])
result = jax.jit(lambda x: jax.lax.associative_scan(join, x))(stacked)
