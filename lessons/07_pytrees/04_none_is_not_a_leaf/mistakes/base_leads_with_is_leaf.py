# expects: pytree-structure-mismatch at 8
"""Makes None a leaf, but puts the wrong tree first."""

import jax


def override(base, patch):
    return jax.tree.map(
        lambda b, p: b if p is None else p, base, patch, is_leaf=lambda x: x is None
    )
