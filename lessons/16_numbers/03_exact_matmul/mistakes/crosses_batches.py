# expects: check values
# says: Your product of batches crosses them: each matrix of `a` meets each matrix of `b`. With
#     more than two axes `jnp.dot` does that, and `@`, which is `jnp.matmul`, does not.
"""Takes dot for matmul."""

import jax.numpy as jnp


def exact_matmul(a, b):
    return jnp.dot(a, b, precision="highest", preferred_element_type=jnp.float32)
