"""Multiplies by the inverse where one matrix serves all."""

import jax.numpy as jnp
from jax.custom_batching import custom_vmap


@custom_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)


@solve_one.def_vmap
def solve_many(axis_size, in_batched, A, b):
    if not in_batched[0]:
        return b @ jnp.linalg.inv(A).T, True
    right = b[..., None] if in_batched[1] else b[None, :, None]
    return (jnp.linalg.inv(A) @ right)[..., 0], True
