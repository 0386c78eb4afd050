# expects: check values
# says: You find a leak only if an argument itself is stored. What `f` computes from it can leak
#     as well.
"""Follows the arguments only, not what is computed from them."""

import gc
import weakref


def leaks(transform, f, *args):
    seen = []

    def watched(*args):
        seen.extend(weakref.ref(arg) for arg in args)
        return f(*args)

    transform(watched)(*args)
    gc.collect()
    return any(reference() is not None for reference in seen)
