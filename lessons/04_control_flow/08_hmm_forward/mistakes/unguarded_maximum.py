# expects: check values
# says: Your answer is NaN when some weather cannot occur: its log-probability is `-inf`, and
#     `-inf - -inf` is NaN.
"""Subtracts the largest term, even if it is -inf."""

import jax.numpy as jnp
from jax import lax


def add_up(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    return (largest + jnp.log(jnp.exp(x - largest).sum(axis=axis, keepdims=True))).squeeze(axis)


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return add_up(log_p[:, None] + log_A, 0) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return add_up(last, 0)
