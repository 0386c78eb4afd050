"""A leak detector: does a tracer outlive the call?"""

import gc

import jax


def live_tracers():
    gc.collect()
    return {id(o): o for o in gc.get_objects() if issubclass(type(o), jax.core.Tracer)}


def leaks(transform, f, *args):
    """Return whether a tracer outlives transform(f)(*args)."""
    before = live_tracers()
    # A new function around f: one that JAX has seen is not traced again.
    transform(lambda *args: f(*args))(*args)
    return bool(live_tracers().keys() - before.keys())
