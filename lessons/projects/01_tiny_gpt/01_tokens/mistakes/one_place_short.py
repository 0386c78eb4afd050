# expects: check values
# says: Your rows are one element short. A window has `length` inputs and as many targets.
"""Leaves out the last place of each window."""

import jax
import jax.numpy as jnp

CHARS = "abcdefghijklmnopqrstuvwxyz ABCDE,.;:\"'?"[:39]


def decode(ids):
    """Return the text of these numbers."""
    return "".join(CHARS[i] for i in ids)


def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length - 1)  # a row of places for each start
    return ids[places], ids[places + 1]
