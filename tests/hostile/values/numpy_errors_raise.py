# expects: passed: checks pass
# Has numpy raise where it would warn.
import jax.numpy as jnp
import numpy as np

np.seterr(all='raise')


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
