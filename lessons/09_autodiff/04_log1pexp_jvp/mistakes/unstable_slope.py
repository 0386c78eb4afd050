# expects: check gradient
# says: For large `x` the gradient is NaN: your slope divides infinity by infinity.
"""Writes a slope that overflows as the value did."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return log1pexp(x), jnp.exp(x) / (1 + jnp.exp(x)) * dx
