# expects: failed: None
# Prints its answer and gives nothing.
import jax.numpy as jnp


def safe_clip_positive(x):
    print(jnp.where(x < 0, 0, x))
