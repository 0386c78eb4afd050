# expects: passed: checks pass
# Has every warning raise.
import jax.numpy as jnp
import warnings

warnings.simplefilter('error')


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
