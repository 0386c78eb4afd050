"""One key for each row: noise for a batch."""

import jax


def noisy(key, row):
    """Return one row plus noise."""
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    """Return xs, of shape (n, d), plus independent noise for each element."""
    keys = jax.random.split(key, len(xs))  # as many keys as rows
    return jax.vmap(noisy)(keys, xs)
