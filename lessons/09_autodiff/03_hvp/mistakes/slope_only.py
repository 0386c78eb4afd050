# expects: check values
# says: Your answer is one number, the slope along `v`. You differentiated once; the Hessian takes
#     two derivatives.
"""Differentiates once, along v."""

import jax


def hvp(f, x, v):
    return jax.jvp(f, (x,), (v,))[1]
