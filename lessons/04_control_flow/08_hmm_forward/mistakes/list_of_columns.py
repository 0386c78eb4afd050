# expects: traced-index-into-list at 12
"""Keeps the columns in a Python list."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    columns = list(log_B.T)

    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + columns[symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return logsumexp(last)
