# expects: check values
# says: Your mask is a score like any other: places with a score of -1 keep a weight. Only minus
#     infinity has weight 0.
"""Masks with -1 in place of minus infinity."""

import jax
import jax.numpy as jnp

CHARS = "abcdefghijklmnopqrstuvwxyz ABCDE,.;:\"'?"[:39]


def decode(ids):
    """Return the text of these numbers."""
    return "".join(CHARS[i] for i in ids)


def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places + 1]


def attend(q, k, v):
    """Return for each place a mean of v up to there. All have shape (heads, length, size)."""
    scores = q @ jnp.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5
    places = jnp.arange(q.shape[-2])
    # Before the softmax: what is left out gets weight 0, and the other weights add up to 1.
    scores = jnp.where(places <= places[:, None], scores, -1.0)
    return jax.nn.softmax(scores, axis=-1) @ v
