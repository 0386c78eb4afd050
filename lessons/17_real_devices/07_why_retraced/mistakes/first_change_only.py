# expects: check values
# says: Your answer stops at the first change. There may be several, also at one leaf.
"""Returns the first reason."""

import jax


def why_retraced(before, after):
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    for (path, old), (_, new) in zip(old_leaves, new_leaves):
        for part in ("shape", "dtype", "weak_type"):
            if getattr(jax.typeof(old), part) != getattr(jax.typeof(new), part):
                return [f"{jax.tree_util.keystr(path)}: {part}"]
    return []
