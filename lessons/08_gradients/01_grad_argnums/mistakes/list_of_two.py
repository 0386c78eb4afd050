# expects: check values
# says: Both derivatives are right, but they come in a list. The problem asks for a tuple.
"""Returns the two derivatives in a list."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return [jax.grad(loss, argnums=i)(w, b, x, y) for i in (0, 1)]
