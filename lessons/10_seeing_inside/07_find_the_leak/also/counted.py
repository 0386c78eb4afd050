"""Counts before and after."""

import functools
import gc

import jax


def count():
    gc.collect()
    return sum(isinstance(o, jax.core.Tracer) for o in gc.get_objects())


def leaks(transform, f, *args):
    @functools.wraps(f)
    def fresh(*args):
        return f(*args)

    before = count()
    transform(fresh)(*args)
    return count() > before
