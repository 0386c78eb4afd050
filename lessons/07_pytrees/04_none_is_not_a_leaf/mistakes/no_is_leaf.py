# expects: pytree-structure-mismatch at 8
"""Puts the patch first, but forgets that None is not a leaf."""

import jax


def override(base, patch):
    return jax.tree.map(lambda p, b: b if p is None else p, patch, base)
