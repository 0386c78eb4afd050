# expects: failed|raised|timed_out|crashed: 
# Gives a hundred million elements.
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.zeros(10**8)
