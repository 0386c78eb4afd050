# expects: check values
# says: Your answer is never one of the four names of `TypeError`'s subclasses: the parent fits
#     them all and is asked first.
"""Tests for TypeError first, which fits most of them."""

import jax
from jax import errors


def diagnose(f, *args):
    try:
        jax.jit(f)(*args)
    except TypeError as error:
        return "shape" if str(error).startswith("Shapes must be") else "other"
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
    except Exception:
        return "other"
    return "ok"
