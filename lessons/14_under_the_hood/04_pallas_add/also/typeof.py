"""The output is like x, and the kernel is a function of the call."""

import jax
from jax.experimental import pallas as pl


def pallas_add(x, y):
    def kernel(x_ref, y_ref, o_ref):
        o_ref[:] = x_ref[:] + y_ref[:]

    return pl.pallas_call(kernel, out_shape=jax.typeof(x), interpret=True)(x, y)
