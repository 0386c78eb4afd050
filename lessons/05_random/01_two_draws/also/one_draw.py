"""One key, one draw of the whole shape."""

import jax


def two_normals(key, n):
    return jax.random.normal(key, (2, n))
