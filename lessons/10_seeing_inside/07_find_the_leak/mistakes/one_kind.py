# expects: check values
# says: You find tracers of one transformation only. Each has its own class, with one base class
#     for all.
"""Knows the tracers of one transformation only."""

import gc

import jax


def live_tracers(kind):
    gc.collect()
    return {id(o): o for o in gc.get_objects() if type(o) is kind}


def leaks(transform, f, *args):
    kinds = []
    jax.jit(lambda x: kinds.append(type(x)))(0.0)
    before = live_tracers(kinds[0])
    transform(lambda *args: f(*args))(*args)
    return bool(live_tracers(kinds[0]).keys() - before.keys())
