# expects: check values
# says: Your answer is NaN: a product with 0 does not clear what was there, because 0 times NaN is
#     NaN.
"""Multiplies by 0 to clear, which leaves NaN."""

import jax
from jax.experimental import pallas as pl


def product_kernel(a_ref, b_ref, o_ref):
    keep = pl.program_id(2) > 0
    o_ref[...] = keep * o_ref[...] + a_ref[...] @ b_ref[...]


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
