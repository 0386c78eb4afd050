# expects: check gradient
"""Takes the tuples for arrays."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(x, dx):
    return log1pexp(x), jax.nn.sigmoid(x) * dx
