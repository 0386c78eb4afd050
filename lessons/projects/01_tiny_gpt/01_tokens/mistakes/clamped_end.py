# expects: check values
# says: Your windows near the end of the text begin too early. A window that ends with the last
#     character but one still has all its targets.
"""Moves the last windows back."""

import jax.numpy as jnp

def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = jnp.minimum(starts, len(ids) - length - 2)[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places + 1]
