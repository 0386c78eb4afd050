# expects: check memory
# says: Your products are right, but the whole Hessian is built for them.
"""Flattens the tree into a vector, and builds the matrix."""

import jax
from jax.flatten_util import ravel_pytree


def hvp(f, x, v):
    flat, back = ravel_pytree(x)
    matrix = jax.hessian(lambda flat: f(back(flat)))(flat)
    return back(matrix @ ravel_pytree(v)[0])
