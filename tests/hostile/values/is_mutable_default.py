# expects: failed: outlived
# Keeps what it was given in a default argument.
import jax.numpy as jnp


def safe_clip_positive(x, kept=[]):
    kept.append(x)
    return jnp.where(x < 0, 0, x)
