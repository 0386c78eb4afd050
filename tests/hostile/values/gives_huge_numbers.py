# expects: failed|raised|timed_out|crashed: 
# Gives ten million elements for three.
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.broadcast_to(x[:1], (10**7,))
