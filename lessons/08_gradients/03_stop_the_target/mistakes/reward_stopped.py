# expects: check gradient
# says: Your value is right, but your gradient moves the target as well: `params` still reaches
#     the loss through the value of `s2`.
"""Stops the reward, which does not depend on the parameters."""

import jax


def td_loss(params, s, r, s2):
    target = jax.lax.stop_gradient(r) + 0.9 * (params @ s2)
    return (target - params @ s) ** 2
