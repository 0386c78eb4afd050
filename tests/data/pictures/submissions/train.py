"""A script of the learner's own."""

import jax
import jax.numpy as jnp


@jax.jit
def step(weights, rate):
    while rate > 0.1:
        rate = rate / 2
    return weights * rate


print(step(jnp.ones(3), 0.8))
