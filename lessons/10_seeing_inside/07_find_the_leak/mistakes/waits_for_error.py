# expects: check values
# says: Your answer is always False. A leak raises nothing where it happens, and the tracer is not
#     in what `f` returns: it is stored somewhere else.
"""Waits for the error, which is raised only when the tracer is used."""

import jax


def leaks(transform, f, *args):
    try:
        transform(f)(*args)
        transform(f)(*args)
    except jax.errors.UnexpectedTracerError:
        return True
    return False
