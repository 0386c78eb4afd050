# expects: passed: checks pass
# Seeds the generators of Python and numpy.
import jax.numpy as jnp
import random

import numpy as np

np.random.seed(0)
random.seed(0)


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
