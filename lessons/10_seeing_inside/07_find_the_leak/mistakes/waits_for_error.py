# expects: check values
"""Waits for the error, which comes only when the tracer is used."""

import jax


def leaks(transform, f, *args):
    try:
        transform(f)(*args)
        transform(f)(*args)
    except jax.errors.UnexpectedTracerError:
        return True
    return False
