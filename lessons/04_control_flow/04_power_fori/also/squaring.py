"""One round for each binary digit of max_n."""

import jax.numpy as jnp


def power(x, n, max_n):
    product = jnp.ones_like(x)
    for digit in range(max_n.bit_length()):
        product = jnp.where((n >> digit) & 1, product * x, product)
        x = x * x
    return product
