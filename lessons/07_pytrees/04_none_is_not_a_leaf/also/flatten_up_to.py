"""The patch taken apart, and base as far as the patch goes."""

import jax


def override(base, patch):
    news, structure = jax.tree.flatten(patch, is_leaf=lambda node: node is None)
    olds = structure.flatten_up_to(base)
    return structure.unflatten(
        old if new is None else new for new, old in zip(news, olds, strict=True)
    )
