# expects: check values
# says: Your answer starts again with the first function past the end, and wraps around below 0.
#     The nearest function is due.
"""Starts again at 0 after the end of the list."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i % len(FUNCTIONS), FUNCTIONS, x)
