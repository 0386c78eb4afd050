# expects: check values
# says: Your answer ignores the first report. `log_pi` is only the weather of the first day; its
#     report has a probability too.
"""Starts without the first report, and steps into the first day."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi, obs[1:])
    return logsumexp(last)
