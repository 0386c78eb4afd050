# expects: raised: FloatingPointError
# Sets jax_debug_nans to True.
import jax.numpy as jnp
import jax

jax.config.update('jax_debug_nans', True)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
