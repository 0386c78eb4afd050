"""Both parameters as one tuple, which is the first argument."""

import jax
import jax.numpy as jnp


def loss(params, x, y):
    w, b = params
    return jnp.mean(jnp.square(jnp.einsum("nk,k->n", x, w) + b - y))


def grad_wb(w, b, x, y):
    return jax.grad(loss)((w, b), x, y)
