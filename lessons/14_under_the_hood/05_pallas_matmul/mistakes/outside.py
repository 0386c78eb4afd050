# expects: check blocks
# says: Your answer is right, but the product is computed outside of the kernel.
"""Multiplies outside, and copies inside."""

import jax
from jax.experimental import pallas as pl


def copy_kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]


def tiled_matmul(a, b, bm, bk, bn):
    product = a @ b
    block = pl.BlockSpec((bm, bn), lambda i, j: (i, j))
    return pl.pallas_call(
        copy_kernel,
        out_shape=jax.ShapeDtypeStruct(product.shape, product.dtype),
        grid=(a.shape[0] // bm, b.shape[1] // bn),
        in_specs=[block],
        out_specs=block,
        interpret=True,
    )(product)
