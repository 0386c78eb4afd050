# expects: check values
# says: Your answer counts the factor of the variance for the data only. Each weight is normal with
#     this variance as well.
"""Counts the factor for the data only."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    scales = X.shape[0] / 2 * u
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) + u
