# expects: check values
# says: Your answer is 0 for every `x` above `-lam`, including those above `lam`. The first
#     condition that holds wins, so it must not cover the cases of a later one.
"""Has a first condition that holds for too much."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.select([x > -lam, x > lam], [jnp.zeros_like(x), x - lam], x + lam)
