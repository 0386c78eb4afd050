# expects: custom-rule-missing at 30
"""Writes a rule and does not register it."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 4


def row_kernel(x_ref, o_ref):
    x = x_ref[...]
    powers = jnp.exp(x - x.max(axis=-1, keepdims=True))
    o_ref[...] = powers / powers.sum(axis=-1, keepdims=True)


def run_kernel(x):
    block = pl.BlockSpec((ROWS, x.shape[1]), lambda i: (i, 0))
    return pl.pallas_call(
        row_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(pl.cdiv(x.shape[0], ROWS),),
        in_specs=[block],
        out_specs=block,
        interpret=True,
    )(x)


@jax.custom_vjp
def softmax(x):
    return run_kernel(x)


def forward(x):
    s = softmax(x)
    return s, s


def backward(s, g):
    return (s * (g - (s * g).sum(axis=-1, keepdims=True)),)

