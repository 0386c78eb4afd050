# expects: check gradient
# says: The rule adds all rates of change up. Each element of the value has one of its own, so
#     both have the same shape.
"""Adds the rates of change up."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return log1pexp(x), jnp.sum(jax.nn.sigmoid(x) * dx)
