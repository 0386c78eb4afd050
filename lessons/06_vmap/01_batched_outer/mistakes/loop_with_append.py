# expects: check equations
"""Collects the products in a list."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    products = []
    for i in range(a.shape[0]):
        products.append(jnp.outer(a[i], b[i]))
    return jnp.array(products)
