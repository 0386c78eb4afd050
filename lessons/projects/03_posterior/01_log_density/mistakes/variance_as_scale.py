# expects: check values
# says: Your normal densities take the variance for the deviation, which is its square root.
"""Passes the variance as the scale of a normal density."""

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm


def log_density(q, X, y):
    w, log_s = q[:-1], q[-1]
    s = jnp.exp(log_s)
    prior = -3 * log_s - 2 / s + norm.logpdf(w, 0, s).sum()
    return prior + norm.logpdf(y, X @ w, s).sum()
