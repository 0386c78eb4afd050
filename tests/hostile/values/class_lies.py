# expects: raised: TypeError
# Gives an object that says it is a jax.Array.
import jax.numpy as jnp
import jax


class Odd:
    __class__ = jax.Array
    shape = (3,)
    dtype = jnp.float32


def safe_clip_positive(x):
    return Odd()
