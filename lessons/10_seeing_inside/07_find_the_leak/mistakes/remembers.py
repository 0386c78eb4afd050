# expects: check leaks
"""Remembers all tracers that were ever seen."""

import gc

import jax

known = {}


def leaks(transform, f, *args):
    transform(lambda *args: f(*args))(*args)
    gc.collect()
    alive = {id(o): o for o in gc.get_objects() if issubclass(type(o), jax.core.Tracer)}
    new = alive.keys() - known.keys()
    known.update(alive)
    return bool(new)
