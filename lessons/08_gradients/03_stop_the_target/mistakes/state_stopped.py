# expects: check gradient
"""Stops the state, not the parameters that meet it."""

import jax


def td_loss(params, s, r, s2):
    target = r + 0.9 * (params @ jax.lax.stop_gradient(s2))
    return (target - params @ s) ** 2
