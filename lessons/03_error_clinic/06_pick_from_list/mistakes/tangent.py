# expects: check values
# says: Your answer for 2 and above is the tangent. The third function is the hyperbolic tangent.
"""Takes the tangent for the hyperbolic tangent."""

import jax
import jax.numpy as jnp


def apply_kth(i, x):
    return jax.lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x)
