# expects: check values
# says: Your answer adds logarithms where it should add probabilities. Adding logarithms
#     multiplies.
"""Adds up the logarithms of the states, which multiplies probabilities."""

import jax.numpy as jnp
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        return jnp.sum(log_p[:, None] + log_A, axis=0) + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return jnp.sum(last)
