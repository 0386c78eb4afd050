# expects: check jaxpr
# says: `jax.grad` counts positions, so the arguments that are differentiated have to be passed by
#     position. Yours cannot be found that way.
"""Passes the differentiated arguments by keyword."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(0, 1))(w=w, b=b, x=x, y=y)
