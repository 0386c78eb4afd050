# expects: pallas-captures-constant at 12
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
