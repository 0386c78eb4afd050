# expects: check values
# says: Your scores are not divided by the square root of d.
"""Forgets the square root."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 16


def kernel(q_ref, k_ref, v_ref, o_ref):
    d = q_ref.shape[1]
    q = q_ref[...].astype(jnp.float32)

    def block(i, carry):
        top, total, result = carry
        k = k_ref[pl.ds(i * ROWS, ROWS), :].astype(jnp.float32)
        v = v_ref[pl.ds(i * ROWS, ROWS), :].astype(jnp.float32)
        s = q @ k.T
        new = jnp.maximum(top, s.max(axis=1, keepdims=True))
        p, fix = jnp.exp(s - new), jnp.exp(top - new)
        return new, total * fix + p.sum(axis=1, keepdims=True), result * fix + p @ v

    nothing = jnp.full((ROWS, 1), -jnp.inf), jnp.zeros((ROWS, 1)), jnp.zeros((ROWS, d))
    _, total, result = jax.lax.fori_loop(0, k_ref.shape[0] // ROWS, block, nothing)
    o_ref[...] = (result / total).astype(o_ref.dtype)


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
