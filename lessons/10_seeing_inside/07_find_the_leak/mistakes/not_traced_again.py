# expects: check again
# says: The second time you ask about the same function, it is not traced, so nothing leaks and
#     you answer False.
"""Transforms f itself, which may be compiled already."""

import gc

import jax


def live_tracers():
    gc.collect()
    return {id(o): o for o in gc.get_objects() if issubclass(type(o), jax.core.Tracer)}


def leaks(transform, f, *args):
    before = live_tracers()
    transform(f)(*args)
    return bool(live_tracers().keys() - before.keys())
