# expects: pallas-block-overwritten at 8
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def matmul_kernel(x_ref, y_ref, o_ref):
    o_ref[...] = jnp.dot(x_ref[...], y_ref[...])


@jax.jit
def matmul(x, y):
    return pl.pallas_call(
        matmul_kernel,
        grid=(2, 2, 4),
        in_specs=[
            pl.BlockSpec((8, 4), lambda i, j, k: (i, k)),
            pl.BlockSpec((4, 8), lambda i, j, k: (k, j)),
        ],
        out_specs=pl.BlockSpec((8, 8), lambda i, j, k: (i, j)),
        out_shape=jax.ShapeDtypeStruct((16, 16), x.dtype),
        interpret=True,
    )(x, y)


print(matmul(jnp.ones((16, 16)), jnp.ones((16, 16)))[0, 0])
