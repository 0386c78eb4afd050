# expects: check values
# says: Your answer subtracts from each chain its own mean. Chains that disagree then look as if
#     they agreed.
"""Subtracts the mean of each chain, and picks the pairs with where."""

import jax
import jax.numpy as jnp


def ess(draws):
    chains, n = draws.shape
    z = draws - draws.mean(axis=1, keepdims=True)
    c = jax.vmap(lambda row: jnp.correlate(row, row, "full")[n - 1 :])(z).sum(0)
    pairs = (c / c[0]).reshape(-1, 2).sum(1)
    pairs = jnp.where(jnp.cumprod(pairs > 0), pairs, 0)
    time = jnp.maximum(2 * pairs.sum() - 1, 0.1)
    return chains * n / time


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
    """Return the places of each chain, shape (chains, draws, d), and their probabilities."""

    def chain(key, start):
        def move(q, key):
            q, probability = hmc_step(key, logp, q, step, n)
            return q, (q, probability)

        return jax.lax.scan(move, start, jax.random.split(key, draws))[1]

    return jax.vmap(chain)(jax.random.split(key, starts.shape[0]), starts)


def adapt(state, probability, target=0.8):
    """Return the state of the adaptation after a transition with this probability."""
    count = state["count"] + 1
    weight = 1 / (count + 10)
    shortfall = (1 - weight) * state["shortfall"] + weight * (target - probability)
    log_step = state["anchor"] - jnp.sqrt(count) / 0.05 * shortfall
    share = count**-0.75  # 1 at first, so that the 0 of the start is forgotten
    log_average = share * log_step + (1 - share) * state["log_average"]
    found = {"log_step": log_step, "log_average": log_average}
    return {**state, **found, "shortfall": shortfall, "count": count}


def begin(step):
    """Return the state of an adaptation that starts with a step length."""
    zero = jnp.float32(0.0)
    logs = {"anchor": jnp.log(10.0 * step), "log_step": jnp.log(step), "log_average": zero}
    return {**logs, "shortfall": zero, "count": zero}


def warm_up(key, logp, starts, first, n, draws):
    """Run the chains for some draws; return their last places and the step length found."""

    def move(carry, key):
        places, state = carry
        step = jnp.exp(state["log_step"])
        keys = jax.random.split(key, starts.shape[0])
        places, probabilities = jax.vmap(lambda k, q: hmc_step(k, logp, q, step, n))(keys, places)
        return (places, adapt(state, probabilities.mean())), None

    keys = jax.random.split(key, draws)
    (places, state), _ = jax.lax.scan(move, (starts, begin(jnp.float32(first))), keys)
    return places, jnp.exp(state["log_average"])


def r_hat(draws):
    """Return how much wider all chains together are than each half of one; draws (chains, n)."""
    half = draws.shape[1] // 2
    parts = draws.reshape(-1, half)  # each chain becomes two: a drift is a disagreement as well
    within = parts.var(axis=1, ddof=1).mean()
    between = parts.mean(axis=1).var(ddof=1)
    return jnp.sqrt(((half - 1) / half * within + between) / within)
