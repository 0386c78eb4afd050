# expects: pallas-index-map at 19
"""Says where the block is along one axis only."""

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
            pl.BlockSpec((bm, bk), lambda i, j, k: (i,)),
            pl.BlockSpec((bk, bn), lambda i, j, k: (k, j)),
        ],
        out_specs=pl.BlockSpec((bm, bn), lambda i, j, k: (i, j)),
        interpret=True,
    )(a, b)
