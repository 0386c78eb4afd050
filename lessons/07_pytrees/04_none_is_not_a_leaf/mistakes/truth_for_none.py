# expects: traced-bool-in-ternary at 9
"""Tests the truth of the patch instead of None."""

import jax


def override(base, patch):
    def choose(p, b):
        return p if p else b

    return jax.tree.map(choose, patch, base, is_leaf=lambda x: x is None)
