# expects: check values
# says: Your answer is NaN: the output was never written. An assignment to a name stores nothing;
#     an assignment to an index does.
"""Gives a name to the sum, and stores nothing."""

import jax
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    o_ref = x_ref[...] + y_ref[...]


def pallas_add(x, y):
    return pl.pallas_call(
        add_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, y)
