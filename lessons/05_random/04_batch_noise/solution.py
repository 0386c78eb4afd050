"""One key for each row: noise for a batch."""

import jax


def noisy(key, row):
    """Return one row with noise."""
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    """Return xs, of shape (n, d), with noise of its own for each number."""
    keys = jax.random.split(key, len(xs))  # as many keys as rows
    return jax.vmap(noisy)(keys, xs)
