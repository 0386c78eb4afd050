# expects: nan-grad-of-norm-at-zero at 8
"""Repairs the value, which was right."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.nan_to_num(jnp.linalg.norm(x, axis=-1))
