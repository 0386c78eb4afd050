# expects: removed-api at 10
"""Looks for the class where it used to be."""

import jax


def diagnose(f, *args):
    try:
        jax.jit(f)(*args)
    except jax.core.ConcretizationTypeError:
        return "concrete"
    except Exception:
        return "other"
    return "ok"
