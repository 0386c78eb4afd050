"""Probabilities that are made to sum to 1 each day; the logarithms of the sums add up."""

import jax.numpy as jnp
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    A, B = jnp.exp(log_A), jnp.exp(log_B)

    def step(carry, symbol):
        p, total = carry
        p = (p @ A) * B[:, symbol]
        size = p.sum()
        return (p / size, total + jnp.log(size)), None

    p = jnp.exp(log_pi) * B[:, obs[0]]
    (_, total), _ = lax.scan(step, (p / p.sum(), jnp.log(p.sum())), obs[1:])
    return total
