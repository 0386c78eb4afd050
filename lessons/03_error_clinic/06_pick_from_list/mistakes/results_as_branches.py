# expects: check one-function
# says: Your program has a choice, but all three functions run before it. The branches should do
#     the computing.
"""Computes all three, and switches among the results."""

import jax.numpy as jnp
from jax import lax


def apply_kth(i, x):
    results = [jnp.sin(x), jnp.cos(x), jnp.tanh(x)]
    return lax.switch(i, [lambda: results[0], lambda: results[1], lambda: results[2]])
