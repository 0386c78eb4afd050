# expects: passed: checks pass
# Puts other code in the place of its own.
import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)


safe_clip_positive.__code__ = safe_clip_positive.__code__.replace(co_firstlineno=2**31 - 1, co_filename='nowhere\x1b[2J', co_name='\x1b[31m')
