# expects: check values
# says: Your answer misses a change: a Python number and an array of the same dtype have different
#     types.
"""Compares shapes and dtypes only."""

import jax
import jax.numpy as jnp


def why_retraced(before, after):
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    return [
        f"{jax.tree_util.keystr(path)}: {part}"
        for (path, old), (_, new) in zip(old_leaves, new_leaves)
        for part in ("shape", "dtype")
        if getattr(jnp.asarray(old), part) != getattr(jnp.asarray(new), part)
    ]
