"""The vectors themselves are replaced, and the library takes the length."""

import jax.numpy as jnp


def safe_norm(x):
    zero = jnp.all(x == 0, axis=-1, keepdims=True)
    length = jnp.linalg.norm(jnp.where(zero, jnp.ones_like(x), x), axis=-1)
    return length * (1 - zero[..., 0])
