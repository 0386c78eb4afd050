# expects: check values
# says: Your answer names Python numbers whose value changed. They are traced as any other
#     argument, and their values do not matter.
"""Takes Python numbers for static."""

import jax


def why_retraced(before, after):
    old_leaves, old_tree = jax.tree_util.tree_flatten_with_path(before)
    new_leaves, new_tree = jax.tree_util.tree_flatten_with_path(after)
    if old_tree != new_tree:
        return ["structure"]
    lines = []
    for (path, old), (_, new) in zip(old_leaves, new_leaves):
        where = jax.tree_util.keystr(path)
        if isinstance(old, int | float) and isinstance(new, int | float) and old != new:
            lines.append(f"{where}: value")
        for part in ("shape", "dtype", "weak_type"):
            if getattr(jax.typeof(old), part) != getattr(jax.typeof(new), part):
                lines.append(f"{where}: {part}")
    return lines
