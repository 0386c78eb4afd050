# expects: reverse-mode-through-while at 10
"""Takes the smaller of both bounds, which is traced like n."""

import jax.numpy as jnp
from jax import lax


def power(x, n, max_n):
    rounds = jnp.minimum(n, max_n)
    return lax.fori_loop(0, rounds, lambda i, product: product * x, jnp.ones_like(x))
