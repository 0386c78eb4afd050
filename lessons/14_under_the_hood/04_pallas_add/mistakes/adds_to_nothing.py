# expects: check values
# says: Your answer is NaN, or whatever was in the output before: it is read before anything was
#     stored there.
"""Adds to what the output holds, which is nothing yet."""

import jax
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    o_ref[...] += x_ref[...]
    o_ref[...] += y_ref[...]


def pallas_add(x, y):
    return pl.pallas_call(
        add_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, y)
