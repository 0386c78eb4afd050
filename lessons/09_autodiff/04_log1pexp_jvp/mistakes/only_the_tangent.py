# expects: check gradient
# says: The rule returns one thing. It has to return two: the value and its rate of change.
"""Returns the rate of change alone."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    return jax.nn.sigmoid(primals[0]) * tangents[0]
