# expects: check values
"""Has the switch, and catches a class that it does not raise."""

import jax


def leaks(transform, f, *args):
    try:
        with jax.checking_leaks():
            transform(lambda *args: f(*args))(*args)
    except jax.errors.UnexpectedTracerError:
        return True
    return False
