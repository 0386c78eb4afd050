# expects: check second
# says: Value and gradient are right. The second derivative is NaN for very negative `x`: an
#     exponential in your slope overflows there.
"""A stable slope, whose own slope is not stable."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return log1pexp(x), dx / (1 + jnp.exp(-x))
