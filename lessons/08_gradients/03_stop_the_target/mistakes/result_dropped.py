# expects: check gradient
"""Stops a value, and uses the one that is not stopped."""

import jax


def td_loss(params, s, r, s2):
    target = r + 0.9 * (params @ s2)
    jax.lax.stop_gradient(target)
    return (target - params @ s) ** 2
