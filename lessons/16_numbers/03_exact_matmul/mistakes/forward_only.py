# expects: check highest
# says: Your gradient is computed with the precision DEFAULT.
"""Writes a gradient of its own, without the precision."""

import jax
import jax.numpy as jnp


def product(a, b):
    return jnp.matmul(a, b, precision="highest", preferred_element_type=jnp.float32)


@jax.custom_vjp
def exact_matmul(a, b):
    return product(a, b)


def forward(a, b):
    return product(a, b), (a, b)


def backward(kept, g):
    a, b = kept
    _, pull = jax.vjp(jnp.matmul, a, b)
    return pull(g.astype(jnp.result_type(a, b)))


exact_matmul.defvjp(forward, backward)
