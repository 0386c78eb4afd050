# expects: numpy-call-on-tracer at 10
"""Maps a function of numpy."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(np.outer)(a, b)
