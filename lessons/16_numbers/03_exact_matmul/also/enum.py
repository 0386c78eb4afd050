"""Names the precision by its class, once for each operand."""

import jax
import jax.numpy as jnp

EXACT = jax.lax.Precision.HIGHEST


def exact_matmul(a, b):
    return jnp.matmul(a, b, precision=(EXACT, EXACT), preferred_element_type="float32")
