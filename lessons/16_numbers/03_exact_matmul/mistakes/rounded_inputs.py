# expects: check values
# says: Your inputs are rounded to `bfloat16` first. No precision brings those digits back.
"""Casts the inputs to bfloat16."""

import jax.numpy as jnp


def exact_matmul(a, b):
    a, b = a.astype(jnp.bfloat16), b.astype(jnp.bfloat16)
    return jnp.matmul(a, b, precision="highest", preferred_element_type=jnp.float32)
