"""One key for each row: noise for a batch."""

import jax


def noisy(key, row):
    """Return one row plus noise."""
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    """Return xs, of shape (n, d), plus independent noise for each element."""
    # TODO: all rows get the same noise.
    return jax.vmap(noisy, in_axes=(None, 0))(key, xs)
