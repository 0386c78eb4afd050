"""One level lower: `jax.vjp` returns the function that pulls a slope back."""

import jax
import jax.numpy as jnp


def grad_wb(w, b, x, y):
    value, pull = jax.vjp(lambda w, b: ((x @ w + b - y) ** 2).mean(), w, b)
    return pull(jnp.ones_like(value))
