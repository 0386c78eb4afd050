# expects: check values
# says: Your answer is "shape" for every other `TypeError`. Only one whose message begins with
#     `Shapes must be` is.
"""Treats every other TypeError as a shape."""

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
    except TypeError:
        return "shape"
    except Exception:
        return "other"
    return "ok"
