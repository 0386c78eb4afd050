# expects: check values
# says: Your answer has shape `(n, 2)`. The two draws should be the rows.
"""Returns columns instead of rows."""

import jax


def two_normals(key, n):
    return jax.random.normal(key, (n, 2))
