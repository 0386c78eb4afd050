# expects: pallas-ref-not-read at 8
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def add(pull_ref, drag_ref, out_ref):
    out_ref[...] = pull_ref[...] + drag_ref


x = jnp.ones(4)
out = jax.ShapeDtypeStruct(x.shape, x.dtype)
print(pl.pallas_call(add, out_shape=out, interpret=True)(x, x))
