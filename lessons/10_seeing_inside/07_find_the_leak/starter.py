"""A leak detector: does a tracer outlive the call?"""

import jax


def leaks(transform, f, *args):
    """Return whether a tracer outlives transform(f)(*args)."""
    # TODO: a leak raises nothing where it happens.
    try:
        transform(f)(*args)
    except jax.errors.UnexpectedTracerError:
        return True
    return False
