# expects: ValueError at 9
"""Pairs the leaves by hand, and they shift."""

import jax


def override(base, patch):
    leaves = [b if p is None else p for p, b in zip(jax.tree.leaves(patch), jax.tree.leaves(base))]
    return jax.tree.unflatten(jax.tree.structure(base), leaves)
