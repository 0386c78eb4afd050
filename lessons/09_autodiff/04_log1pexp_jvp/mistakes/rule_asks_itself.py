# expects: check gradient
# says: The rule asks JAX for the derivative that it is meant to provide, so it calls itself
#     forever.
"""Asks for the derivative of the function whose derivative this is."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    return jax.jvp(log1pexp, primals, tangents)
