# expects: check memory
"""Makes a vector of the tree, and builds the matrix."""

import jax
from jax.flatten_util import ravel_pytree


def hvp(f, x, v):
    flat, back = ravel_pytree(x)
    matrix = jax.hessian(lambda flat: f(back(flat)))(flat)
    return back(matrix @ ravel_pytree(v)[0])
