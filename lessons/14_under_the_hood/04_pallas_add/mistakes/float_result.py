# expects: check values
# says: Your kernel computes a float where the inputs are integers, and it does not fit into the
#     output. Nothing is converted when it is stored.
"""Turns integers into floats on the way."""

import jax
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    o_ref[...] = 1.0 * x_ref[...] + y_ref[...]


def pallas_add(x, y):
    return pl.pallas_call(
        add_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, y)
