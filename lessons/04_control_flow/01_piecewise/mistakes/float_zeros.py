# expects: check dtype
# says: Your values are right, but the answer does not keep the dtype of `x`: a `float32` value
#     among the candidates turns a `bfloat16` answer into `float32`.
"""Takes zeros of another dtype."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.select([x > lam, x < -lam], [x - lam, x + lam], jnp.zeros(x.shape))
