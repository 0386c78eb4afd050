"""No rule: the input is guarded, and the threshold is high enough."""

import jax.numpy as jnp


def log1pexp(x):
    large = x > 30
    return jnp.where(large, x, jnp.log1p(jnp.exp(jnp.where(large, 0, x))))
