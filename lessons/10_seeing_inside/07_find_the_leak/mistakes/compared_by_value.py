# expects: check others
# says: While tracers of several earlier traces are alive, your comparison raises: `==` on tracers
#     is an operation of JAX. Ask whether two are the same object.
"""Compares tracers with ==, instead of asking whether they are the same object."""

import gc

import jax


def tracers():
    gc.collect()
    return [o for o in gc.get_objects() if issubclass(type(o), jax.core.Tracer)]


def leaks(transform, f, *args):
    before = tracers()
    transform(lambda *values: f(*values))(*args)
    return any(o not in before for o in tracers())
