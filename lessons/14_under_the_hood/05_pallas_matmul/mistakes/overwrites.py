# expects: check values
# says: Your answer is the product of the last blocks along k only: what the earlier runs added is
#     lost. Each run should add its product.
"""Stores each product over the one before."""

import jax
from jax.experimental import pallas as pl


def product_kernel(a_ref, b_ref, o_ref):
    o_ref[...] = a_ref[...] @ b_ref[...]


def tiled_matmul(a, b, bm, bk, bn):
    (m, k), n = a.shape, b.shape[1]
    return pl.pallas_call(
        product_kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), a.dtype),
        grid=(m // bm, n // bn, k // bk),
        in_specs=[
            pl.BlockSpec((bm, bk), lambda i, j, k: (i, k)),
            pl.BlockSpec((bk, bn), lambda i, j, k: (k, j)),
        ],
        out_specs=pl.BlockSpec((bm, bn), lambda i, j, k: (i, j)),
        interpret=True,
    )(a, b)
