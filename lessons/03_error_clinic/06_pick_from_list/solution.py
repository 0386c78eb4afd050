"""A Python list, a traced index: apply one of three functions."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    """Return sin, cos or tanh of x, for i = 0, 1 or 2; others count as the nearest of these."""
    # All three are in the program, and i says which one runs. switch bounds i itself.
    return lax.switch(i, FUNCTIONS, x)
