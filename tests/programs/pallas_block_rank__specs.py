# expects: pallas-block-rank at 17
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def kernel(x_ref, y_ref, o_ref):
    o_ref[...] = x_ref[...] + y_ref[...]


x = jnp.ones((8, 8))
print(
    pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((8, 8), jnp.float32),
        grid=(2,),
        in_specs=[pl.BlockSpec((4, 8), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((4, 8), lambda i: (i, 0)),
        interpret=True,
    )(x, x)
)
