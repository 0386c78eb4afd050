# expects: failed: elements differ
# Gives the right numbers as int8.
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x).astype(jnp.int8)
