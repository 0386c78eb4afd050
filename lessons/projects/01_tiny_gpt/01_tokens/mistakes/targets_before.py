# expects: check values
# says: Your targets are the characters before the inputs. The model should predict what follows.
"""Moves the targets the wrong way."""

import jax.numpy as jnp

def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places - 1]
