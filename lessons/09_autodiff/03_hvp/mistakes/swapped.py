# expects: check values
# says: Point and direction are swapped: the Hessian is taken at `v`, and multiplied by `x`.
"""Passes the direction as the point."""

import jax


def hvp(f, x, v):
    return jax.jvp(jax.grad(f), (v,), (x,))[1]
