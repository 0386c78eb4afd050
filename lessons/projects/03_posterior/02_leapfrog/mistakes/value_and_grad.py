# expects: value-and-grad-not-unpacked at 22
"""Uses the value and the gradient together."""

import jax
import jax.numpy as jnp


def log_density(q, X, y):
    """Return the log density of q = (weights, log variance) given the data, up to a constant."""
    w, u = q[:-1], q[-1]
    misfit = jnp.sum((y - X @ w) ** 2) + jnp.sum(w**2)
    scales = (X.shape[0] + w.shape[0]) / 2 * u  # each normal density has one factor variance**-0.5
    prior = -4 * u - 2 * jnp.exp(-u)
    return prior - scales - misfit / 2 * jnp.exp(-u) + u  # + u: the density of u, not of exp(u)


def leapfrog(logp, q, p, step, n):
    slope = jax.value_and_grad(logp)

    def move(state, _):
        q, p = state
        p = p + step / 2 * slope(q)
        q = q + step * p
        p = p + step / 2 * slope(q)
        return (q, p), None

    return jax.lax.scan(move, (q, p), length=n)[0]
