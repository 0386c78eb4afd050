# expects: check gradient
# says: The rule receives two tuples, one of inputs and one of directions, with one entry each.
#     They have to be unpacked first.
"""Uses the tuples as if they were arrays."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(x, dx):
    return log1pexp(x), jax.nn.sigmoid(x) * dx
