# expects: check gradient
"""Stops the reward, which has no gradient by the parameters."""

import jax


def td_loss(params, s, r, s2):
    target = jax.lax.stop_gradient(r) + 0.9 * (params @ s2)
    return (target - params @ s) ** 2
