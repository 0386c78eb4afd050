# expects: check gradient
# says: The rule returns the slope, not the change along the direction. The direction does not
#     occur in the result.
"""Returns the slope without the direction."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1pexp(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@log1pexp.defjvp
def rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return log1pexp(x), jax.nn.sigmoid(x)
