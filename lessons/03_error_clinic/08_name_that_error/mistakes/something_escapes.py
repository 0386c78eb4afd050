# expects: check values
# says: Your function lets an exception through. Whatever has no name of its own is "other".
"""Knows the six classes and the shape, and lets the rest escape."""

import jax
from jax import errors


def diagnose(f, *args):
    try:
        jax.jit(f)(*args)
    except errors.TracerBoolConversionError:
        return "bool"
    except errors.ConcretizationTypeError:
        return "concrete"
    except errors.TracerIntegerConversionError:
        return "int"
    except errors.TracerArrayConversionError:
        return "array"
    except errors.NonConcreteBooleanIndexError:
        return "mask"
    except errors.UnexpectedTracerError:
        return "leak"
    except TypeError as error:
        return "shape" if str(error).startswith("Shapes must be") else "other"
    return "ok"
