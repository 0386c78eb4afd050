# expects: nan-grad-of-norm-at-zero at 8
"""Trusts the library, whose length has the same slope."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.linalg.norm(x, axis=-1)
