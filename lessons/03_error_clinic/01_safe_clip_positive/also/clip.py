"""Bounded below by 0, not bounded above."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.clip(x, 0)
