# expects: check values
# says: The prior of the variance is missing in your answer.
"""Forgets the prior of the variance."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    scales = (X.shape[0] + w.shape[0]) / 2 * u
    prior = -4 * u - 2 * jnp.exp(-u)
    return -scales - misfit / 2 * jnp.exp(-u) + u
