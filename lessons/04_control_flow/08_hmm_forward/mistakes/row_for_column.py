# expects: check values
# says: Your answer adds the probability of the weather to be reached, not of the weather it comes
#     from. Entry `[i, j]` goes from `i` to `j`: which axis must the old row run along?
"""Adds the carry as a row."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p + log_A, axis=0) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return logsumexp(last)
