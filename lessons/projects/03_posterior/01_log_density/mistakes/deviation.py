# expects: check values
# says: Your answer takes the last parameter for the logarithm of the deviation. It is that of the
#     variance, the square.
"""Takes u for the logarithm of the deviation."""

import jax.numpy as jnp


def log_density(q, X, y):
    w, u = q[:-1], 2 * q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    scales = (X.shape[0] + w.shape[0]) / 2 * u
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) + q[-1]
