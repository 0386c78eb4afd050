"""Name that error: what went wrong, in one word."""

import jax
from jax import errors


def diagnose(f, *args):
    """Run f under jit with these arguments; return "ok" or the name of what went wrong."""
    try:
        jax.jit(f)(*args)
    except errors.ConcretizationTypeError:
        return "concrete"
    # TODO: one name for each class, in the right order, and let nothing escape.
    except Exception:
        return "other"
    return "ok"
