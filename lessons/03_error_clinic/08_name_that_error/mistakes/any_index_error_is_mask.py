# expects: check values
# says: Your answer is "mask" for every `IndexError`. Only `NonConcreteBooleanIndexError` is a
#     mask; a slice with a traced bound is "other".
"""Treats every IndexError as a mask."""

import jax
from jax import errors


def diagnose(f, *args):
    try:
        jax.jit(f)(*args)
    except IndexError:
        return "mask"
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
    except Exception:
        return "other"
    return "ok"
