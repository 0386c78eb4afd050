# expects: check values
# says: Your answer is NaN for a force above 12: this way of reading fills in what does not exist.
#     It counts as 12.
"""Takes from the table; past the end that is NaN."""

import jax.numpy as jnp
import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return jnp.take(TABLE, i)
