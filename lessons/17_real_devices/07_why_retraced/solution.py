"""Why it was traced again: name the argument that changed."""

import jax


def why_retraced(before, after):
    """Return why a call with the arguments after is traced again after one with before."""
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    return [
        f"{jax.tree_util.keystr(path)}: {part}"
        for (path, old), (_, new) in zip(old_leaves, new_leaves, strict=True)
        for part in ("shape", "dtype", "weak_type")  # what JAX compares, and no value
        if getattr(jax.typeof(old), part) != getattr(jax.typeof(new), part)
    ]
