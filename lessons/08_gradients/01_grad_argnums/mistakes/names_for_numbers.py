# expects: TypeError at 13
"""Names the arguments where positions are expected."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=("w", "b"))(w, b, x, y)
