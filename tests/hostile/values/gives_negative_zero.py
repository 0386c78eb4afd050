# expects: passed: checks pass
# Gives negative zeros.
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, -0.0, x).astype(x.dtype)
