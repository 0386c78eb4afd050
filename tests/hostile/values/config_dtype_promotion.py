# expects: passed: checks pass
# Sets jax_numpy_dtype_promotion to 'strict'.
import jax.numpy as jnp
import jax

jax.config.update('jax_numpy_dtype_promotion', 'strict')


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
