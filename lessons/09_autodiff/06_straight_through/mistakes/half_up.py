# expects: check values
# says: Halves are rounded up in your answer. `jnp.round` rounds them to the even neighbour: 0.5
#     becomes 0.
"""Rounds halves up, where round takes the even neighbour."""

import jax
import jax.numpy as jnp


def round_ste(x):
    return x + jax.lax.stop_gradient(jnp.floor(x + 0.5) - x)
