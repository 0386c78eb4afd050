# expects: check values
# says: Your answer takes two trees for alike if they have equally many leaves. A list and a tuple
#     are different structures, and so are two dicts with different keys.
"""Compares how many leaves there are."""

import jax


def why_retraced(before, after):
    old_leaves, _ = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, _ = jax.tree_util.tree_flatten_with_path(after)
    if len(old_leaves) != len(new_leaves):
        return ["structure"]
    return [
        f"{jax.tree_util.keystr(path)}: {part}"
        for (path, old), (_, new) in zip(old_leaves, new_leaves)
        for part in ("shape", "dtype", "weak_type")
        if getattr(jax.typeof(old), part) != getattr(jax.typeof(new), part)
    ]
