# check: passed
# grade: failed
# never: failed
"""Defines a primitive that JAX does not know, whose compiled code calls numpy."""

import jax
import numpy as np
from jax.extend import core as jex
from jax.interpreters import ad, batching, mlir

twice_p = jex.Primitive("mul")
twice_p.def_abstract_eval(lambda x: x)
twice_p.def_impl(lambda x: jax.device_put(np.asarray(x) * np.float32(2)))


def lower(ctx, x):
    out, *_ = mlir.emit_python_callback(
        ctx, lambda v: (np.asarray(v) * np.float32(2),), None, [x], ctx.avals_in, ctx.avals_out,
        has_side_effect=False,
    )
    return out


mlir.register_lowering(twice_p, lower)
ad.deflinear(twice_p, lambda ct: [twice_p.bind(ct)])
batching.defvectorized(twice_p)


def double(x):
    return twice_p.bind(x)
