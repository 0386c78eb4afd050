# expects: check highest
# says: Your product has the precision DEFAULT: the device may leave out digits.
"""Sets the dtype of the sum, and not the precision."""

import jax.numpy as jnp


def exact_matmul(a, b):
    return jnp.matmul(a, b, preferred_element_type=jnp.float32)
