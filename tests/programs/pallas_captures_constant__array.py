# expects: pallas-captures-constant at 14
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

w = jnp.arange(8.0)


def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + w


print(
    pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(
        jnp.ones(8)
    )
)
