# expects: pallas-block-unwritten at 9
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def difference_kernel(x_ref, o_ref):
    n = x_ref.shape[0]
    o_ref[: n - 1] = x_ref[1:] - x_ref[: n - 1]


def differences(x):
    out = jax.ShapeDtypeStruct(x.shape, x.dtype)
    steps = pl.pallas_call(difference_kernel, out_shape=out, interpret=True)(x)
    return steps[:-1]


print(differences(jnp.arange(8.0) ** 2))
