"""What the gradient should not see: the target of a temporal difference."""

import jax
import jax.numpy as jnp


def td_loss(params, s, r, s2):
    """Return the squared error of the value of s, for a target that stands still."""
    # TODO: the gradient moves the target as well.
    target = r + 0.9 * (params @ s2)
    return (target - params @ s) ** 2
