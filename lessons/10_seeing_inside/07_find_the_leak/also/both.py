"""JAX's own check where it sees something, and the collector for the rest."""

import gc

import jax
from jax.core import Tracer


def tracers():
    gc.collect()
    return [o for o in gc.get_objects() if issubclass(type(o), Tracer)]


def leaks(transform, f, *args):
    old = tracers()
    try:
        with jax.checking_leaks():
            transform(lambda *args: f(*args))(*args)
    except Exception as error:
        if "Leaked trace" not in str(error):
            raise
        return True
    return any(all(o is not known for known in old) for o in tracers())
