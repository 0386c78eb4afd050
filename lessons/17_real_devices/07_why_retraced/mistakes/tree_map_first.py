# expects: check values
# says: Your answer fails for two trees that are built differently: it walks through both at once
#     before it has compared their structures.
"""Maps over both trees at once."""

import jax


def why_retraced(before, after):
    lines = []

    def compare(path, old, new):
        for part in ("shape", "dtype", "weak_type"):
            if getattr(jax.typeof(old), part) != getattr(jax.typeof(new), part):
                lines.append(f"{jax.tree_util.keystr(path)}: {part}")

    jax.tree_util.tree_map_with_path(compare, before, after)
    return lines
