# expects: traced-bool-in-or-default at 8
"""Uses `or`, which needs a truth value."""

import jax


def override(base, patch):
    return jax.tree.map(lambda p, b: p or b, patch, base, is_leaf=lambda x: x is None)
