# expects: check values
# says: Your answer does not use the patch: it is `base` everywhere.
"""Never uses the patch."""

import jax


def override(base, patch):
    return jax.tree.map(
        lambda b, p: p if b is None else b, base, base, is_leaf=lambda x: x is None
    )
