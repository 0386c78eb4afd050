# expects: check values
# says: Your answer takes a step of the weather before the first day. `log_pi` is the weather on
#     the first day itself.
"""Takes a step before the first day."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi, obs)
    return logsumexp(last)
