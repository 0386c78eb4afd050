# expects: check values
# says: Just above a threshold your answer is `x` itself, and the true value is still visibly
#     larger there.
"""Returns x itself from 5 on, where it is not close enough yet."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.where(x > 5, x, jnp.log1p(jnp.exp(jnp.minimum(x, 5))))


@log1pexp.defjvp
def rule(primals, tangents):
    return log1pexp(*primals), jax.nn.sigmoid(primals[0]) * tangents[0]
