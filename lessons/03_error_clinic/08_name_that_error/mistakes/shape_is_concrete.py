# expects: check values
# says: Your answer is not "shape" for a traced shape. That is a plain `TypeError`, and no
#     subclass of it.
"""Believes that a traced shape is a ConcretizationTypeError."""

import jax
from jax import errors


def diagnose(f, *args):
    try:
        jax.jit(f)(*args)
    except errors.TracerBoolConversionError:
        return "bool"
    except errors.ConcretizationTypeError as error:
        return "shape" if "shape" in str(error) else "concrete"
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
