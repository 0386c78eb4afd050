# expects: check values
# says: For arrays your answer is right. A tree cannot be multiplied by a tree as a whole.
"""Multiplies the gradient by the direction as if they were arrays."""

import jax


def hvp(f, x, v):
    return jax.grad(lambda x: (jax.grad(f)(x) * v).sum())(x)
