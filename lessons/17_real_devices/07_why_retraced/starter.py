"""Why it was traced again: name the argument that changed."""

import jax


def why_retraced(before, after):
    """Return why a call with the arguments after is traced again after one with before."""
    # TODO: this compares values, stops at the first, and says neither where nor what.
    for old, new in zip(jax.tree.leaves(before), jax.tree.leaves(after), strict=False):
        if old is not new:
            return ["it changed"]
    return []
