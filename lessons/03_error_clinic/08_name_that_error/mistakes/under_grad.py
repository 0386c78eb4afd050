# expects: check values
# says: Your answer is what happens under `jax.grad`, where most functions still see numbers. The
#     problem asks for `jax.jit`.
"""Differentiates instead of compiling; the numbers stay numbers."""

import jax
from jax import errors


def diagnose(f, *args):
    try:
        jax.grad(lambda *a: f(*a).sum())(*args)
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
