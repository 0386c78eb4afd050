# expects: check blocks
# says: Your answer is right, but a run multiplies whole rows with whole columns. A third axis of
#     the grid can walk along them in blocks.
"""Takes whole rows and columns, as large as they are."""

import jax
from jax.experimental import pallas as pl


def product_kernel(a_ref, b_ref, o_ref):
    o_ref[...] = a_ref[...] @ b_ref[...]


def tiled_matmul(a, b, bm, bk, bn):
    (m, length), n = a.shape, b.shape[1]
    return pl.pallas_call(
        product_kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), a.dtype),
        grid=(m // bm, n // bn),
        in_specs=[
            pl.BlockSpec((bm, length), lambda i, j: (i, 0)),
            pl.BlockSpec((length, bn), lambda i, j: (0, j)),
        ],
        out_specs=pl.BlockSpec((bm, bn), lambda i, j: (i, j)),
        interpret=True,
    )(a, b)
