# expects: check gradient
# says: The value is right everywhere. The gradient is wrong at exactly 0, where two kinks meet
#     that cancel in the value only.
"""A stable value, and JAX's derivative of it, which has a kink at 0."""

import jax.numpy as jnp


def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))
