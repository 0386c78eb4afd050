# expects: check equations
# says: Your program grows with the array: it writes an operation for each row. One operation can
#     change the whole shape.
"""Takes the array apart in Python, and writes an operation for each row."""

import math

import jax.numpy as jnp
import numpy as np


def merge_leading(x):
    if 0 in x.shape:
        return jnp.zeros((math.prod(x.shape[:-1]), x.shape[-1]), x.dtype)
    return jnp.stack([x[place] for place in np.ndindex(*x.shape[:-1])])
