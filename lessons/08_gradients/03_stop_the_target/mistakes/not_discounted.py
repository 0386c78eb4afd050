# expects: check values
"""Forgets the 0.9."""

import jax


def td_loss(params, s, r, s2):
    target = jax.lax.stop_gradient(r + params @ s2)
    return (target - params @ s) ** 2
