# expects: passed: checks pass
# Sets jax_debug_key_reuse to True.
import jax.numpy as jnp
import jax

jax.config.update('jax_debug_key_reuse', True)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
