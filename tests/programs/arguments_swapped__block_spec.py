# expects: arguments-swapped at 14
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def double_kernel(x_ref, o_ref):
    o_ref[...] = 2 * x_ref[...]


def double(x):
    rows = 4
    kind = jax.ShapeDtypeStruct(x.shape, x.dtype)
    spec = pl.BlockSpec(lambda i: (i, 0), (rows, x.shape[1]))
    call = pl.pallas_call(
        double_kernel,
        grid=(x.shape[0] // rows,),
        in_specs=[spec],
        out_specs=spec,
        out_shape=kind,
        interpret=True,
    )
    return call(x)


print(double(jnp.ones((8, 3))))
