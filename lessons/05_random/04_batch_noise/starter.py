"""One key for each row: noise for a batch."""

import jax


def noisy(key, row):
    """Return one row with noise."""
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    """Return xs, of shape (n, d), with noise of its own for each number."""
    # TODO: all rows get the same noise.
    return jax.vmap(noisy, in_axes=(None, 0))(key, xs)
