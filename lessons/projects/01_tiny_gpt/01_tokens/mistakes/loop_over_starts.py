# expects: check equations
# says: Your program has a lookup for each window. A table of places looks up all of them at once.
"""Loops over the starts in Python."""

import jax.numpy as jnp

def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    run = jnp.arange(length)
    inputs = jnp.stack([ids[start + run] for start in starts])
    return inputs, jnp.stack([ids[start + run + 1] for start in starts])
