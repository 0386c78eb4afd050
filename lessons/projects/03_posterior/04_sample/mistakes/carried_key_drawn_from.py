# expects: prng-key-reuse at 53
"""Moves with the key that is carried on and split for the next move."""

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
    """Return place and momentum (q, p) after n steps of length step; logp is the log density."""
    slope = jax.grad(logp)

    def move(state, _):
        q, p = state
        p = p + step / 2 * slope(q)
        q = q + step * p
        p = p + step / 2 * slope(q)  # at the new place
        return (q, p), None

    return jax.lax.scan(move, (q, p), length=n)[0]


def hmc_step(key, logp, q, step, n):
    """Return the next place of the chain, and the probability with which its path was accepted."""
    momentum_key, accept_key = jax.random.split(key)
    p = jax.random.normal(momentum_key, q.shape)
    new_q, new_p = leapfrog(logp, q, p, step, n)
    before = jnp.sum(p**2) / 2 - logp(q)
    after = jnp.sum(new_p**2) / 2 - logp(new_q)
    # A path that leaves the density for good has no energy: NaN. It is rejected.
    change = jnp.where(jnp.isnan(after), jnp.inf, after - before)
    probability = jnp.exp(jnp.minimum(0.0, -change))
    accepted = jax.random.uniform(accept_key) < probability
    return jnp.where(accepted, new_q, q), probability


def sample(key, logp, starts, step, n, draws):
    def chain(key, start):
        def move(carry, _):
            q, key = carry
            key, own = jax.random.split(key)
            q, probability = hmc_step(key, logp, q, step, n)
            return (q, key), (q, probability)

        return jax.lax.scan(move, (start, key), length=draws)[1]

    return jax.vmap(chain)(jax.random.split(key, starts.shape[0]), starts)
