# expects: check jaxpr
# says: The transformation received the value `f(x)`. It takes the function, and returns one that
#     takes `x`.
"""Passes a value instead of a function."""

import jax


def jacobian(f, x):
    if jax.eval_shape(f, x).size < x.size:
        return jax.jacrev(f(x))
    return jax.jacfwd(f(x))
