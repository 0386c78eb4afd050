# expects: check values
# says: Your answer is a mean over blocks, each with a softmax of its own. All keys of a row share
#     one sum.
"""Divides in each block."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 16


def kernel(q_ref, k_ref, v_ref, o_ref):
    d = q_ref.shape[1]
    q = q_ref[...].astype(jnp.float32) / d**0.5
    blocks = k_ref.shape[0] // ROWS

    def block(i, result):
        k = k_ref[pl.ds(i * ROWS, ROWS), :].astype(jnp.float32)
        v = v_ref[pl.ds(i * ROWS, ROWS), :].astype(jnp.float32)
        return result + jax.nn.softmax(q @ k.T) @ v / blocks

    result = jax.lax.fori_loop(0, blocks, block, jnp.zeros((ROWS, d)))
    o_ref[...] = result.astype(o_ref.dtype)


def flash_forward(q, k, v, interpret=True, compiler_params=None):
    rows = pl.BlockSpec((ROWS, q.shape[1]), lambda i: (i, 0))
    everything = pl.BlockSpec(k.shape, lambda i: (0, 0))
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct(q.shape, q.dtype),
        grid=(q.shape[0] // ROWS,),
        in_specs=[rows, everything, everything],
        out_specs=rows,
        interpret=interpret,
        compiler_params=compiler_params,
    )(q, k, v)
