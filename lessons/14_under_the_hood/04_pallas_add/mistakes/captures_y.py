# expects: check jaxpr
# says: Your kernel uses an array from outside. It sees its Refs only, so `y` has to be one of its
#     inputs.
"""Takes y from outside of the kernel."""

import jax
from jax.experimental import pallas as pl


def pallas_add(x, y):
    def add_kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...] + y

    return pl.pallas_call(
        add_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x)
