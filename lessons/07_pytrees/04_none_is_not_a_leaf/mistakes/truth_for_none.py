# expects: traced-bool-in-ternary at 9
"""Asks whether there is something true in the patch."""

import jax


def override(base, patch):
    def choose(p, b):
        return p if p else b

    return jax.tree.map(choose, patch, base, is_leaf=lambda x: x is None)
