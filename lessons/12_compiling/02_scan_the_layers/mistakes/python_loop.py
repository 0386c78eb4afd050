# expects: check equations
# says: Your numbers are right, but the program holds every layer again. A Python loop is unrolled
#     while tracing.
"""A loop of Python."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    for i in range(stacked["W"].shape[0]):
        x = jnp.tanh(x @ stacked["W"][i] + stacked["b"][i])
    return x
