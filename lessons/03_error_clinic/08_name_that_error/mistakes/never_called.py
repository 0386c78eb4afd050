# expects: check values
# says: Your answer is "ok" whatever `f` does: nothing is traced before the compiled function is
#     called.
"""Compiles and does not call, so nothing is traced."""

import jax
from jax import errors


def diagnose(f, *args):
    try:
        jax.jit(f)
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
