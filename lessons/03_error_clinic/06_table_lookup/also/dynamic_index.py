"""The function of lax, which converts the table itself."""

import numpy as np
from jax import lax

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return lax.dynamic_index_in_dim(TABLE, i, keepdims=False)
