# expects: check values
# says: Your program multiplies element by element and adds up. That needs memory for all products
#     at once, and it is not `a @ b` for vectors or batches.
"""Multiplies and sums without a product of matrices."""

import jax.numpy as jnp


def exact_matmul(a, b):
    a, b = a.astype(jnp.float32), b.astype(jnp.float32)
    return (a[..., :, None] * b).sum(axis=-2) if a.ndim == 1 else (a[..., None] * b).sum(axis=1)
