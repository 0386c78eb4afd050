# expects: check values
# says: Your answer sums over the weather of the next day instead of the day before.
"""Sums over the weather of the next day."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=1) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return logsumexp(last)
