# expects: check dtype
# says: Your values are right, but your answer is always made of floats. It should have the dtype
#     that `f` returns.
"""Fills an array of floats, whatever the function returns."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = xs.shape[0]
    size = min(batch, n)
    out = jnp.zeros(jax.eval_shape(jax.vmap(f), xs).shape)

    def body(i, out):
        start = jnp.minimum(i * size, n - size)
        piece = jax.lax.dynamic_slice_in_dim(xs, start, size)
        found = jax.vmap(f)(piece).astype(out.dtype)
        return jax.lax.dynamic_update_slice_in_dim(out, found, start, 0)

    return jax.lax.fori_loop(0, -(-n // size), body, out)
