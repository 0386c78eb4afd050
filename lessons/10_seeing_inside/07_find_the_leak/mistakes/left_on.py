# expects: check settings
# says: After the call, JAX's own leak check is still on.
"""Turns JAX's own check on as well, and leaves it on."""

import gc

import jax


def live_tracers():
    gc.collect()
    return {id(o): o for o in gc.get_objects() if issubclass(type(o), jax.core.Tracer)}


def leaks(transform, f, *args):
    before = live_tracers()
    jax.config.update("jax_check_tracer_leaks", True)
    try:
        transform(lambda *args: f(*args))(*args)
    except Exception as error:
        if str(error).startswith("Leaked trace"):
            return True
        raise
    return bool(live_tracers().keys() - before.keys())
