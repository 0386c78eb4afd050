# expects: removed-api at 9
"""Uses the names of older pages."""

import jax
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    pl.store(o_ref, ..., pl.load(x_ref, ...) + pl.load(y_ref, ...))


def pallas_add(x, y):
    return pl.pallas_call(
        add_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, y)
