# expects: check equations
# says: Your values are right, but each day adds equations to the program. Use a loop whose step
#     is traced once.
"""Loops over the days in Python."""

from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    log_p = log_pi + log_B[:, obs[0]]
    for symbol in obs[1:]:
        log_p = logsumexp(log_p[:, None] + log_A, axis=0) + log_B[:, symbol]
    return logsumexp(log_p)
