# expects: check equations
# says: Your values are right, but each row adds equations to the program. Map over the rows
#     instead.
"""Collects the products in a list."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    products = []
    for i in range(a.shape[0]):
        products.append(jnp.outer(a[i], b[i]))
    return jnp.array(products)
