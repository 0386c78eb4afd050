# expects: zero-gradient at 8
"""Rounds to integers and back."""

import jax.numpy as jnp


def round_ste(x):
    return jnp.round(x).astype(jnp.int32).astype(x.dtype)
