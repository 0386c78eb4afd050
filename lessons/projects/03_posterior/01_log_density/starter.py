"""Posterior: Hamiltonian Monte Carlo from scratch, checked against a known answer."""

import jax.numpy as jnp


def log_density(q, X, y):
    """Return the log density of q = (weights, log variance) given the data, up to a constant."""
    w, variance = q[:-1], jnp.exp(q[-1])
    # TODO: this is the misfit alone. The priors are missing, and what belongs to the variance.
    return -jnp.sum((y - X @ w) ** 2) / (2 * variance)
