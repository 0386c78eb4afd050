"""Looks up the name of the class; a subclass has another name than its parent."""

import jax

NAMES = {
    "TracerBoolConversionError": "bool",
    "ConcretizationTypeError": "concrete",
    "TracerIntegerConversionError": "int",
    "TracerArrayConversionError": "array",
    "NonConcreteBooleanIndexError": "mask",
    "UnexpectedTracerError": "leak",
}


def diagnose(f, *args):
    try:
        jax.make_jaxpr(jax.jit(f))(*args)
    except Exception as error:
        name = type(error).__name__
        if name == "TypeError" and str(error).startswith("Shapes must be"):
            return "shape"
        return NAMES.get(name, "other")
    return "ok"
