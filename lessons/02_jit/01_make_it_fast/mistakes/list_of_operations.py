# expects: check compiled
# says: Your function traces `f` once, but runs its operations one by one. Nothing has been
#     compiled.
"""Traces once, and runs the operations one after another."""

import jax


def compile_once(f):
    kept = {}

    def g(x):
        key = (x.shape, x.dtype)
        if key not in kept:
            kept[key] = jax.make_jaxpr(f)(x)
        return jax.core.eval_jaxpr(kept[key].jaxpr, kept[key].consts, x)[0]

    return g
