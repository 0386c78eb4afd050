# expects: check gradient
# says: Your value is right, but your gradient moves the target as well: `params` still reaches
#     the loss through the value of `s2`.
"""Copies the parameters, which stops nothing."""

import jax.numpy as jnp


def td_loss(params, s, r, s2):
    target = r + 0.9 * (jnp.array(params, copy=True) @ s2)
    return (target - params @ s) ** 2
