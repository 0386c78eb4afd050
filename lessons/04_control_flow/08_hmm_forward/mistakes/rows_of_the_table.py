# expects: check values
# says: Your answer reads `log_B` the wrong way round: its rows are kinds of weather, its columns
#     are reports.
"""Uses a row of the table instead of a column."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + log_B.T[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return logsumexp(last)
