"""Bounds x below by 0, and not above."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.clip(x, 0)
