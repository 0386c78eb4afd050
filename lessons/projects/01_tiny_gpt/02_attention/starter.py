import jax
import jax.numpy as jnp


def attend(q, k, v):
    """Return for each place a mean of v up to there. All have shape (heads, length, size)."""
    # TODO: compare queries with keys, and leave out the places that come later.
    return v
