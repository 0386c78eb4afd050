"""The Hessian is symmetric, so a product from the left is also one from the right."""

import jax


def hvp(f, x, v):
    _, pull = jax.vjp(jax.grad(f), x)
    (product,) = pull(v)
    return product
