# expects: check values
# says: Your answer divides by a product of factors, which is NaN or infinite as soon as one of
#     them is 0. Join stretches without dividing.
"""Divides by the product of all factors, which may be 0."""

import jax.numpy as jnp


def recur(a, b):
    product = jnp.cumprod(a, axis=0)
    return product * jnp.cumsum(b / product, axis=0)
