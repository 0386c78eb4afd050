# expects: check values
# says: Your answer divides by the factor of the change of variable. A step of the logarithm is a
#     step of the variance times the variance.
"""Subtracts the change of variable."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    scales = (X.shape[0] + w.shape[0]) / 2 * u
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) - u
