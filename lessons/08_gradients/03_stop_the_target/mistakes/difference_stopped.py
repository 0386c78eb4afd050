# expects: check gradient
"""Stops the difference, and so everything."""

import jax


def td_loss(params, s, r, s2):
    return jax.lax.stop_gradient(r + 0.9 * (params @ s2) - params @ s) ** 2
