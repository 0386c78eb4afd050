# expects: check values
# says: Your answer compares types as they are printed, and cannot say which part of them changed.
"""Compares the types as texts."""

import jax


def why_retraced(before, after):
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    return [
        f"{jax.tree_util.keystr(path)}: shape"
        for (path, old), (_, new) in zip(old_leaves, new_leaves)
        if str(jax.typeof(old)) != str(jax.typeof(new))
    ]
