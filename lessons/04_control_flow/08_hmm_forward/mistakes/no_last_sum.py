# expects: check values
# says: Your answer is one number for each kind of weather on the last day. The reports do not
#     depend on which it was, so sum over them.
"""Returns the last row."""

from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return last
