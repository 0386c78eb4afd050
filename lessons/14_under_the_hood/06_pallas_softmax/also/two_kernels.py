"""A second kernel for the backward pass, one row at a time."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def row_kernel(x_ref, o_ref):
    x = x_ref[...]
    powers = jnp.exp(x - x.max(axis=-1, keepdims=True))
    o_ref[...] = powers / powers.sum(axis=-1, keepdims=True)


def back_kernel(s_ref, g_ref, o_ref):
    s, g = s_ref[...], g_ref[...]
    o_ref[...] = s * (g - (s * g).sum(axis=-1, keepdims=True))


def by_rows(kernel, *tables):
    n, m = tables[0].shape
    row = pl.BlockSpec((1, m), lambda i: (i, 0))
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((n, m), tables[0].dtype),
        grid=(n,),
        in_specs=[row] * len(tables),
        out_specs=row,
        interpret=True,
    )(*tables)


@jax.custom_vjp
def softmax(x):
    return by_rows(row_kernel, x)


def forward(x):
    s = by_rows(row_kernel, x)
    return s, s


def backward(s, g):
    return (by_rows(back_kernel, s, g),)


softmax.defvjp(forward, backward)
