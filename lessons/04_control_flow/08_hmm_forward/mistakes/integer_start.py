# expects: scan-carry-dtype-change at 12
"""Turns the first row into integers."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + log_B[:, symbol], None

    last, _ = lax.scan(step, (log_pi + log_B[:, obs[0]]).astype(int), obs[1:])
    return logsumexp(last)
