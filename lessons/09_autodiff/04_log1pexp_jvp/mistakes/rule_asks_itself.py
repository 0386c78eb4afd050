# expects: check gradient
"""Asks for the gradient of the function whose gradient this is."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    return jax.jvp(log1pexp, primals, tangents)
