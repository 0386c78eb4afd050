# expects: check gradient
# says: Your gradient is the one of the target. It is the other half that should move.
"""Stops the prediction, and moves the target."""

import jax


def td_loss(params, s, r, s2):
    value = jax.lax.stop_gradient(params @ s)
    return (r + 0.9 * (params @ s2) - value) ** 2
