# expects: check finite
# says: Your answer computes with probabilities, and after some hundred days they are too small for
#     `float32` and become 0. Stay with logarithms, and take out the largest term before an
#     exponential.
"""Multiplies probabilities, and takes the logarithm in the end."""

import jax.numpy as jnp
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    A, B = jnp.exp(log_A), jnp.exp(log_B)

    def step(p, symbol):
        return (p @ A) * B[:, symbol], None

    p, _ = lax.scan(step, jnp.exp(log_pi) * B[:, obs[0]], obs[1:])
    return jnp.log(p.sum())
