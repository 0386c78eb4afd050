# expects: check memory
# says: Your kernel reads all keys at once, and holds a whole row of scores. For a long context
#     that does not fit next to the arithmetic.
"""Reads all keys and values."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 16


def kernel(q_ref, k_ref, v_ref, o_ref):
    q, k, v = (ref[...].astype(jnp.float32) for ref in (q_ref, k_ref, v_ref))
    o_ref[...] = (jax.nn.softmax(q @ k.T / q.shape[1] ** 0.5) @ v).astype(o_ref.dtype)


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
