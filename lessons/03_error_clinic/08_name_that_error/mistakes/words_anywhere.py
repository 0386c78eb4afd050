# expects: check values
# says: Your answer is "shape" wherever the words occur in a message. The message has to begin
#     with them.
"""Looks for the words anywhere in the message."""

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
        return "shape" if "Shapes must be" in str(error) else "other"
    except Exception:
        return "other"
    return "ok"
