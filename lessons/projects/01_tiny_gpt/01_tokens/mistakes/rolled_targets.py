# expects: check values
# says: Your targets are right up to the last column, which holds the first character of the
#     window. The next one is in the text, just behind the window.
"""Rolls the window instead of looking one place further."""

import jax.numpy as jnp

def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], jnp.roll(ids[places], -1, axis=1)
