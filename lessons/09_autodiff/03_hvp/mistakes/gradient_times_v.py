# expects: check values
# says: Your answer is the gradient times `v`, element by element. The product with the Hessian is
#     how the gradient changes along `v`.
"""Multiplies the gradient by v."""

import jax


def hvp(f, x, v):
    return jax.tree.map(lambda a, b: a * b, jax.grad(f)(x), v)
