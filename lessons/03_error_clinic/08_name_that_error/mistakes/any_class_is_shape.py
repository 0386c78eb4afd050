# expects: check values
# says: Your answer is "shape" for an error that is not a `TypeError`. Look at the class before
#     the message.
"""Looks at the message of any error, whatever its class."""

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
    except Exception as error:
        return "shape" if str(error).startswith("Shapes must be") else "other"
    return "ok"
