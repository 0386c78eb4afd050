# expects: pytree-structure-mismatch at 8
"""Lets the patch lead, and forgets that None is no leaf."""

import jax


def override(base, patch):
    return jax.tree.map(lambda p, b: b if p is None else p, patch, base)
