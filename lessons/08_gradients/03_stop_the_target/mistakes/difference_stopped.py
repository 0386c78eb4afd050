# expects: check gradient
# says: Your gradient is zero: everything that depends on `params` is stopped, the prediction too.
"""Stops the difference, and so everything."""

import jax


def td_loss(params, s, r, s2):
    return jax.lax.stop_gradient(r + 0.9 * (params @ s2) - params @ s) ** 2
