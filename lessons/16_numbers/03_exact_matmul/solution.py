"""How exact a product is."""

import jax.numpy as jnp


def exact_matmul(a, b):
    """Return a @ b with the highest precision, and float32 for bfloat16 inputs."""
    # The digits of the product, and the dtype of its sum.
    return jnp.matmul(a, b, precision="highest", preferred_element_type=jnp.float32)
