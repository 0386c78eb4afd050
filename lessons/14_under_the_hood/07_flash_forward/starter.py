"""Attention in one kernel: without a table of scores."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 16


def kernel(q_ref, k_ref, v_ref, o_ref):
    """Store the attention of 16 rows of q."""
    # TODO: this reads all keys and values at once, and large scores overflow.
    q, k, v = q_ref[...], k_ref[...], v_ref[...]
    p = jnp.exp(q @ k.T / q.shape[1] ** 0.5)
    o_ref[...] = p @ v / p.sum(axis=1, keepdims=True)


def flash_forward(q, k, v, interpret=True, compiler_params=None):
    """Return softmax(q @ k.T / sqrt(d)) @ v."""
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
