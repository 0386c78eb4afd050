"""Two thousand small probabilities: the likelihood of a hidden Markov model."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    """Return the log-probability of obs, summed over all hidden states."""

    def step(log_p, symbol):
        # Entry (i, j) is the way through i to j; the sum is over i, in logarithms.
        arrived = logsumexp(log_p[:, None] + log_A, axis=0)
        return arrived + log_B[:, symbol], None

    first = log_pi + log_B[:, obs[0]]
    last, _ = lax.scan(step, first, obs[1:])
    return logsumexp(last)
