"""The output is like x, and interpreted only where it has to be."""

import jax
from jax.experimental import pallas as pl


def pallas_add(x, y):
    def kernel(x_ref, y_ref, o_ref):
        o_ref[:] = x_ref[:] + y_ref[:]

    return pl.pallas_call(
        kernel, out_shape=jax.typeof(x), interpret=jax.default_backend() == "cpu"
    )(x, y)
