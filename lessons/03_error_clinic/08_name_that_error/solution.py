"""Name that error: what went wrong, in one word."""

import jax
from jax import errors

# The first that fits is used, so a class comes before its parent.
NAMES = {
    errors.TracerBoolConversionError: "bool",
    errors.ConcretizationTypeError: "concrete",
    errors.TracerIntegerConversionError: "int",
    errors.TracerArrayConversionError: "array",
    errors.NonConcreteBooleanIndexError: "mask",
    errors.UnexpectedTracerError: "leak",
}


def diagnose(f, *args):
    """Run f under jit with these arguments; return "ok" or the name of what went wrong."""
    try:
        jax.jit(f)(*args)
    except Exception as error:
        return name_of(error)
    return "ok"


def name_of(error):
    """Return the name of an error: by its class, or by its message where the class is plain."""
    for cls, name in NAMES.items():
        if isinstance(error, cls):
            return name
    is_shape = isinstance(error, TypeError) and str(error).startswith("Shapes must be")
    return "shape" if is_shape else "other"
