"""Pads by hand, runs whole blocks, and lets JAX differentiate a softmax of its own."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 4


def row_kernel(x_ref, o_ref):
    o_ref[...] = jax.nn.softmax(x_ref[...], axis=-1)


@jax.custom_vjp
def softmax(x):
    n, m = x.shape
    missing = -n % ROWS
    padded = jnp.pad(x, ((0, missing), (0, 0)))
    block = pl.BlockSpec((ROWS, m), lambda i: (i, 0))
    result = pl.pallas_call(
        row_kernel,
        out_shape=jax.ShapeDtypeStruct(padded.shape, x.dtype),
        grid=(padded.shape[0] // ROWS,),
        in_specs=[block],
        out_specs=block,
        interpret=True,
    )(padded)
    return result[:n]


def forward(x):
    return softmax(x), x


def backward(x, g):
    return jax.vjp(jax.nn.softmax, x)[1](g)


softmax.defvjp(forward, backward)
