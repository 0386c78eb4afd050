# expects: passed: checks pass
# Sets jax_default_matmul_precision to 'bfloat16'.
import jax.numpy as jnp
import jax

jax.config.update('jax_default_matmul_precision', 'bfloat16')


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
