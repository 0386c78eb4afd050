# expects: check errors
# says: An error of `f` is reported as a leak. It should be passed on.
"""Takes every error for a leak."""

import gc

import jax


def live_tracers():
    gc.collect()
    return {id(o): o for o in gc.get_objects() if issubclass(type(o), jax.core.Tracer)}


def leaks(transform, f, *args):
    before = live_tracers()
    try:
        transform(lambda *args: f(*args))(*args)
    except Exception:
        return True
    return bool(live_tracers().keys() - before.keys())
