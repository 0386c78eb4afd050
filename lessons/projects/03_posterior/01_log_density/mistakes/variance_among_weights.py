# expects: shape-mismatch-matmul at 9
"""Takes all of q for weights."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ q) ** 2) + jnp.sum(w**2)
    scales = (X.shape[0] + w.shape[0]) / 2 * u
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) + u
