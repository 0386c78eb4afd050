# expects: python-scalar-not-array at 16
"""Expects that each leaf is an array."""

import jax


def why_retraced(before, after):
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    return [
        f"{jax.tree_util.keystr(path)}: {part}"
        for (path, old), (_, new) in zip(old_leaves, new_leaves)
        for part in ("shape", "dtype", "weak_type")
        if getattr(old, part) != getattr(new, part)
    ]
