# expects: pallas-block-unwritten at 9
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def laplace_kernel(u_ref, o_ref):
    n = u_ref.shape[0]
    o_ref[1 : n - 1] = u_ref[2:] - 2 * u_ref[1 : n - 1] + u_ref[: n - 2]


def laplace(u):
    out = jax.ShapeDtypeStruct(u.shape, u.dtype)
    return pl.pallas_call(laplace_kernel, out_shape=out, interpret=True)(u)


u = jnp.linspace(0.0, 1.0, 16) ** 2
for _ in range(3):
    u = u + 0.1 * laplace(u)
print(u)
