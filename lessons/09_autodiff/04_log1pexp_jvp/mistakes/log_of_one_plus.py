# expects: check digits
# says: For negative `x` your answer loses its digits, and ends at 0: a tiny number disappears
#     when it is added to 1.
"""Adds something tiny to 1, and takes the logarithm afterwards."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log(1 + jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    return log1pexp(*primals), jax.nn.sigmoid(primals[0]) * tangents[0]
