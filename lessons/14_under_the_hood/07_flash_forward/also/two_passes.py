"""Finds the maximum first, and adds up in a second loop over the keys."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 16


def kernel(q_ref, k_ref, v_ref, o_ref):
    d = q_ref.shape[1]
    q = q_ref[...].astype(jnp.float32) * d**-0.5
    blocks = k_ref.shape[0] // ROWS

    def scores(i):
        return q @ k_ref[pl.ds(i * ROWS, ROWS), :].astype(jnp.float32).T

    def larger(i, top):
        return jnp.maximum(top, scores(i).max(axis=1, keepdims=True))

    top = jax.lax.fori_loop(0, blocks, larger, jnp.full((ROWS, 1), -jnp.inf))

    def add(i, carry):
        total, result = carry
        p = jnp.exp(scores(i) - top)
        v = v_ref[pl.ds(i * ROWS, ROWS), :].astype(jnp.float32)
        return total + p.sum(axis=1, keepdims=True), result + p @ v

    begin = jnp.zeros((ROWS, 1)), jnp.zeros((ROWS, d))
    total, result = jax.lax.fori_loop(0, blocks, add, begin)
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
