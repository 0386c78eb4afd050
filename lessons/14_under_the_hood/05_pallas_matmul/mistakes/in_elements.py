# expects: check values
# says: Your answer is wrong where there are many blocks: the index maps count in elements. They
#     count in blocks, and a block past the end raises nothing.
"""Counts in elements, not in blocks."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def product_kernel(a_ref, b_ref, o_ref):
    @pl.when(pl.program_id(2) == 0)
    def clear():
        o_ref[...] = jnp.zeros_like(o_ref)

    o_ref[...] += a_ref[...] @ b_ref[...]


def tiled_matmul(a, b, bm, bk, bn):
    (m, k), n = a.shape, b.shape[1]
    return pl.pallas_call(
        product_kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), a.dtype),
        grid=(m // bm, n // bn, k // bk),
        in_specs=[
            pl.BlockSpec((bm, bk), lambda i, j, k: (i * bm, k * bk)),
            pl.BlockSpec((bk, bn), lambda i, j, k: (k * bk, j * bn)),
        ],
        out_specs=pl.BlockSpec((bm, bn), lambda i, j, k: (i * bm, j * bn)),
        interpret=True,
    )(a, b)
