"""Compares the structures, and maps over both trees at once."""

import jax


def why_retraced(before, after):
    if jax.tree.structure(before) != jax.tree.structure(after):
        return ["structure"]
    lines = []

    def compare(path, old, new):
        a, b = jax.typeof(old), jax.typeof(new)
        where = jax.tree_util.keystr(path)
        lines.extend(
            f"{where}: {part}"
            for part, is_new in [
                ("shape", a.shape != b.shape),
                ("dtype", a.dtype != b.dtype),
                ("weak_type", a.weak_type != b.weak_type),
            ]
            if is_new
        )

    jax.tree_util.tree_map_with_path(compare, before, after)
    return lines
