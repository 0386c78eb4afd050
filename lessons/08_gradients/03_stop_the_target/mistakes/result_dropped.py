# expects: check gradient
# says: Your value is right, but your gradient moves the target as well: `params` still reaches
#     the loss through the value of `s2`.
"""Stops a value, and uses the one that is not stopped."""

import jax


def td_loss(params, s, r, s2):
    target = r + 0.9 * (params @ s2)
    jax.lax.stop_gradient(target)
    return (target - params @ s) ** 2
