# expects: numpy-call-on-tracer at 9
"""Changes a NumPy copy."""

import jax.numpy as jnp
import numpy as np


def replace_at(x, i, v):
    y = np.array(x)
    y[i] = v
    return jnp.array(y)
