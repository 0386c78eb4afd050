# expects: check values
# says: Your targets are two places after the inputs. The character that comes next is one place
#     on.
"""Takes the targets two places on."""

import jax
import jax.numpy as jnp

CHARS = "abcdefghijklmnopqrstuvwxyz ABCDE,.;:\"'?"[:39]


def decode(ids):
    """Return the text of these numbers."""
    return "".join(CHARS[i] for i in ids)


def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places + 2]
