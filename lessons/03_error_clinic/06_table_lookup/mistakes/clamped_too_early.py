# expects: check values
# says: Your largest force is too small. The last entry of the table has the index 12.
"""Clamps to the last entry but one."""

import jax.numpy as jnp
import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return jnp.asarray(TABLE)[jnp.minimum(i, 11)]
