# expects: check values
# says: Your dtypes are those of numpy, which has 64 bits where JAX has 32.
"""Asks numpy for shape and dtype."""

import jax
import numpy as np


def why_retraced(before, after):
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    lines = []
    for (path, old), (_, new) in zip(old_leaves, new_leaves):
        for part in ("shape", "dtype"):
            if getattr(np.asarray(old), part) != getattr(np.asarray(new), part):
                lines.append(f"{jax.tree_util.keystr(path)}: {part}")
        if jax.typeof(old).weak_type != jax.typeof(new).weak_type:
            lines.append(f"{jax.tree_util.keystr(path)}: weak_type")
    return lines
