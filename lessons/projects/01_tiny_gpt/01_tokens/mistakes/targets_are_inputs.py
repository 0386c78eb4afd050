# expects: check values
# says: Your targets are the inputs themselves. A model that has to repeat what it reads learns
#     nothing: the target is the next character.
"""Forgets to move the targets."""

import jax.numpy as jnp

def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places]
