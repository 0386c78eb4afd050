"""The sum is written over a copy of x."""

import jax
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    o_ref[...] += y_ref[...]


@jax.jit
def pallas_add(x, y):
    call = pl.pallas_call(
        add_kernel,
        out_shape=jax.eval_shape(lambda a: a, x),
        input_output_aliases={0: 0},
        interpret=True,
    )
    return call(x, y)
