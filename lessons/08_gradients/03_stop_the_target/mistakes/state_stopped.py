# expects: check gradient
# says: Your value is right, but your gradient moves the target as well: `params` still reaches
#     the loss through the value of `s2`.
"""Stops the state, not the parameters that meet it."""

import jax


def td_loss(params, s, r, s2):
    target = r + 0.9 * (params @ jax.lax.stop_gradient(s2))
    return (target - params @ s) ** 2
