# expects: vmap-non-array at 9
"""Maps over ranges of Python."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return jax.vmap(lambda i: jax.vmap(lambda y: k(X[i], y))(Y))(list(range(len(X))))
