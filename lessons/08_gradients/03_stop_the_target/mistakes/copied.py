# expects: check gradient
"""Copies the parameters, which stops nothing."""

import jax.numpy as jnp


def td_loss(params, s, r, s2):
    target = r + 0.9 * (jnp.array(params, copy=True) @ s2)
    return (target - params @ s) ** 2
