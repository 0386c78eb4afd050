# expects: wrong-arity at 8
import functools

import jax
from jax.experimental import pallas as pl


def blend_kernel(first_ref, second_ref):
    second_ref[...] = 0.5 * (first_ref[...] + second_ref[...])


@functools.partial(jax.jit, static_argnames="rows")
def blend(first, second, rows=2):
    spec = pl.BlockSpec((rows, first.shape[1]), lambda i: (i, 0))
    call = pl.pallas_call(
        blend_kernel,
        grid=(first.shape[0] // rows,),
        in_specs=[spec, spec],
        out_specs=spec,
        out_shape=jax.ShapeDtypeStruct(first.shape, first.dtype),
        interpret=True,
    )
    return call(first, second)


print(blend(jax.numpy.ones((4, 3)), jax.numpy.zeros((4, 3))))
