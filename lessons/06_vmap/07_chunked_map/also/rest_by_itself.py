"""Full chunks in a scan, and the remainder in one map."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    n = len(xs) // batch
    full = xs[: n * batch].reshape(n, batch, *xs.shape[1:])
    _, out = jax.lax.scan(lambda _, chunk: (None, jax.vmap(f)(chunk)), None, full)
    rest = jax.vmap(f)(xs[n * batch :])
    return jnp.concatenate([out.reshape(n * batch, *out.shape[2:]), rest])
