# expects: check values
# says: Your answer is `x @ weights` itself. The model ends with a `tanh`.
"""Forgets the tanh."""

import jax
import jax.numpy as jnp


def make_model(W):
    return jax.jit(lambda weights, x: x @ weights), W
