"""Grids and blocks: a matrix product, block by block."""

import jax
from jax.experimental import pallas as pl


def product_kernel(a_ref, b_ref, o_ref):
    """Store the product of two blocks."""
    o_ref[...] = a_ref[...] @ b_ref[...]


def tiled_matmul(a, b, bm, bk, bn):
    """Return a @ b, computed in blocks of bm by bk and bk by bn."""
    (m, length), n = a.shape, b.shape[1]
    # TODO: this takes whole rows and whole columns. Walk along k in blocks of bk, and add up.
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
