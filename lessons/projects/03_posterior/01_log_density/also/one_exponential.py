"""Collects the terms by u and exp(-u)."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    return -(3 + y.size / 2 + w.size / 2) * u - (2 + misfit / 2) * jnp.exp(-u)
