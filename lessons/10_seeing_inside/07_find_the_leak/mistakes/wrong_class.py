# expects: check values
# says: The switch raises for a leak, and the class that it raises is not the one that is caught.
"""Uses the switch, and catches a class that it does not raise."""

import jax


def leaks(transform, f, *args):
    try:
        with jax.checking_leaks():
            transform(lambda *args: f(*args))(*args)
    except jax.errors.UnexpectedTracerError:
        return True
    return False
