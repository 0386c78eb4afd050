"""A batch in chunks, so that it fits into memory."""

import jax


def map_chunked(f, xs, batch):
    """Return jax.vmap(f)(xs), computed for at most `batch` examples at once."""
    return jax.lax.map(f, xs, batch_size=batch)  # a loop of maps; it handles the remainder
