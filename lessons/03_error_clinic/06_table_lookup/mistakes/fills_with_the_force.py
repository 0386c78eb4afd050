# expects: check values
# says: Your answer for a force above 12 is a force. The wind speed of force 12 is due.
"""Fills in the largest force where the largest speed is due."""

import jax.numpy as jnp
import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return jnp.asarray(TABLE).at[i].get(mode="fill", fill_value=12)
