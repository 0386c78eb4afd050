# expects: check values
# says: Your answer accepts every proposal, even one with `logp` of `-inf`. A proposal should be
#     accepted with probability `min(1, p(y) / p(x))`.
"""Never refuses a proposal."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        y = x + step * jax.random.normal(key)
        return y, y

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
