# expects: check gradient
# says: The rate of change is not proportional to the direction: twice the direction has to give
#     twice the change.
"""Squares the direction."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return log1pexp(x), jax.nn.sigmoid(x) * dx**2
