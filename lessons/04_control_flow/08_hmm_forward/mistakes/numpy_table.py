# expects: numpy-call-on-tracer at 10
"""Keeps the table in NumPy."""

import numpy as np
from jax import lax
from jax.scipy.special import logsumexp


def hmm_loglik(log_pi, log_A, log_B, obs):
    table = np.asarray(log_B)

    def step(log_p, symbol):
        return logsumexp(log_p[:, None] + log_A, axis=0) + table[:, symbol], None

    last, _ = lax.scan(step, log_pi + table[:, obs[0]], obs[1:])
    return logsumexp(last)
