# expects: raised: TypeError
# Is a static method outside of a class.
import jax.numpy as jnp


@staticmethod
def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
