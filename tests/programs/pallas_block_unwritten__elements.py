# expects: pallas-block-unwritten at 18
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

SIZE = 16


def scale_kernel(x_ref, s_ref, o_ref):
    o_ref[...] = x_ref[...] * s_ref[0]


def scale(x, s):
    return pl.pallas_call(
        scale_kernel,
        grid=(x.shape[0] // SIZE,),
        in_specs=[pl.BlockSpec((SIZE,), lambda i: (i,)), pl.BlockSpec((1,), lambda i: (0,))],
        out_specs=pl.BlockSpec((SIZE,), lambda i: (i * SIZE,)),
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, s)


print(scale(jnp.arange(64.0), jnp.ones(1)))
