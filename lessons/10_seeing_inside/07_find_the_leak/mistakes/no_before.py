# expects: check others
# says: You blame `f` for tracers that were alive before the call.
"""Counts what others leaked."""

import gc

import jax


def leaks(transform, f, *args):
    transform(lambda *args: f(*args))(*args)
    gc.collect()
    return any(issubclass(type(o), jax.core.Tracer) for o in gc.get_objects())
