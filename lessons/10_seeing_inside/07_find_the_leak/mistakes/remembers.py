# expects: check leaks
# says: Your detector keeps the tracers that it found, and so leaks them itself.
"""Remembers all tracers that it ever saw."""

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
