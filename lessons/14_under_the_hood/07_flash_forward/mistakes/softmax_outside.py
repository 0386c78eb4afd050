# expects: check in-kernel
# says: Your kernel computes a product, and the rest happens outside, with the whole table of
#     scores in memory.
"""Uses the kernel for the last product."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

ROWS = 16


def kernel(p_ref, v_ref, o_ref):
    p, v = p_ref[...].astype(jnp.float32), v_ref[...].astype(jnp.float32)
    o_ref[...] = (p @ v).astype(o_ref.dtype)


def flash_forward(q, k, v, interpret=True, compiler_params=None):
    scores = q.astype(jnp.float32) @ k.astype(jnp.float32).T / q.shape[1] ** 0.5
    like = jax.ShapeDtypeStruct(q.shape, q.dtype)
    run = pl.pallas_call(
        kernel, out_shape=like, interpret=interpret, compiler_params=compiler_params
    )
    return run(jax.nn.softmax(scores), v)
