# expects: check jaxpr
# says: The function is declared to have a rule of its own, and none is defined. Without one it
#     cannot even be called.
"""Announces a rule, and defines none."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))
