# expects: check values
# says: Your answer compares every prediction with every `y`. Look at the shape of the difference:
#     it should have one entry for each row, not a table.
"""Subtracts a row from a column, and compares every row with every other."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w[:, None] + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(0, 1))(w, b, x, y)
