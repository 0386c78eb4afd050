# expects: check values
# says: Your weights have variance 1. In the model their variance is that of the data.
"""Gives the weights variance 1."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2)
    scales = X.shape[0] / 2 * u
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) - jnp.sum(w**2) / 2 + u
