# expects: check jaxpr
# says: No call ran: a seed was passed where a key is needed. Use the key that the caller gives
#     you.
"""Passes numbers where a key belongs."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    return jnp.stack([jax.random.normal(0, (n,)), jax.random.normal(1, (n,))])
