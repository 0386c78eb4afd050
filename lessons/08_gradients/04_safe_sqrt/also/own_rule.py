"""A hand-written derivative rule."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def safe_norm(x):
    return jnp.sqrt(jnp.sum(x * x, axis=-1))


@safe_norm.defjvp
def safe_norm_slope(primals, tangents):
    (x,), (dx,) = primals, tangents
    length = safe_norm(x)
    above = jnp.sum(x * dx, axis=-1)
    return length, above / jnp.where(length > 0, length, 1)
