# expects: check jaxpr
# says: Your indices become floats on the way, and JAX accepts only integers between brackets. NaN
#     cannot mark an integer.
"""Marks bad indices with NaN, which turns them all into floats."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    places = jnp.where(idx < len(x), idx, jnp.nan)
    return jnp.where(jnp.isnan(places), fill, x[places])
