# expects: check gradient
# says: Your value is right, but your gradient is only half of the one in the problem.
"""Takes a factor for a constant, and loses half of the slope."""

import jax
import jax.numpy as jnp


def td_loss(params, s, r, s2):
    target = jax.lax.stop_gradient(r + 0.9 * (params @ s2))
    return jnp.abs(target - params @ s) * jax.lax.stop_gradient(jnp.abs(target - params @ s))
