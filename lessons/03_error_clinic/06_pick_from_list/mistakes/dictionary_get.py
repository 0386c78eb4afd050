# expects: traced-dict-key at 10
"""Asks a dictionary, with an answer for the rest."""

import jax.numpy as jnp

FUNCTIONS = {0: jnp.sin, 1: jnp.cos}


def apply_kth(i, x):
    return FUNCTIONS.get(i, jnp.tanh)(x)
