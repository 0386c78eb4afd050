"""A fused kernel with a gradient: the softmax of each row."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 4


def row_kernel(x_ref, o_ref):
    """Store the softmax of a block of rows."""
    powers = jnp.exp(x_ref[...])
    o_ref[...] = powers / powers.sum(axis=-1, keepdims=True)


def softmax(x):
    """Return the softmax of each row of x."""
    # TODO: large numbers overflow, the last rows are missing, and there is no gradient.
    block = pl.BlockSpec((ROWS, x.shape[1]), lambda i: (i, 0))
    return pl.pallas_call(
        row_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(x.shape[0] // ROWS,),
        in_specs=[block],
        out_specs=block,
        interpret=True,
    )(x)
