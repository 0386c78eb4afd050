# expects: check values
# says: For arrays your answer is right. For a tree the Jacobian is a tree of blocks, and `@` has
#     no meaning there.
"""Builds the whole matrix for one product, and only for arrays."""

import jax


def directional(f, x, v):
    return jax.jacfwd(f)(x) @ v
