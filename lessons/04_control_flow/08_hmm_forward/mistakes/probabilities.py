# expects: check finite
"""Multiplies probabilities, and takes the logarithm in the end."""

import jax.numpy as jnp
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    A, B = jnp.exp(log_A), jnp.exp(log_B)

    def step(p, symbol):
        return (p @ A) * B[:, symbol], None

    p, _ = lax.scan(step, jnp.exp(log_pi) * B[:, obs[0]], obs[1:])
    return jnp.log(p.sum())
