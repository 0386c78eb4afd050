# expects: check values
# says: For arrays your answer is right. For a tree the Hessian is a tree of blocks, and `@` has
#     no meaning there.
"""Builds the matrix; for a tree it is a tree of blocks."""

import jax


def hvp(f, x, v):
    return jax.hessian(f)(x) @ v
