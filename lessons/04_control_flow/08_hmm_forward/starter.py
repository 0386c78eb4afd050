"""Two thousand small probabilities: the likelihood of a hidden Markov model."""

import jax.numpy as jnp
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    """Return the log-probability of obs, summed over all hidden states."""
    A, B = jnp.exp(log_A), jnp.exp(log_B)

    def step(p, symbol):
        return (p @ A) * B[:, symbol], None

    # TODO: after a few hundred days, p is 0 for every state.
    p, _ = lax.scan(step, jnp.exp(log_pi) * B[:, obs[0]], obs[1:])
    return jnp.log(p.sum())
