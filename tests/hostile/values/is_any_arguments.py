# expects: passed: checks pass
# Takes any arguments.
import jax.numpy as jnp


def safe_clip_positive(*args, **kwargs):
    return jnp.where(args[0] < 0, 0, args[0])
