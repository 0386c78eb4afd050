"""Adds the densities of jax.scipy, and the change of variable."""

import jax.numpy as jnp
from jax.scipy.stats import norm


def log_density(q, X, y):
    w, u = q[:-1], q[-1]
    deviation = jnp.exp(u / 2)
    prior = -4 * u - 2 / jnp.exp(u)
    likelihood = norm.logpdf(y, X @ w, deviation).sum()
    return prior + norm.logpdf(w, 0.0, deviation).sum() + likelihood + u
