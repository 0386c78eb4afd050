# expects: check jaxpr
# says: No call ran: a collective needs the name of the axis it works across.
"""Omits the name."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.pmean(x)
