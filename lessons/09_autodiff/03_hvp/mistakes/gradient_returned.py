# expects: check values
# says: Your answer is the gradient. The product with the Hessian is the other result.
"""Returns the first of the two results, the gradient."""

import jax


def hvp(f, x, v):
    return jax.jvp(jax.grad(f), (x,), (v,))[0]
