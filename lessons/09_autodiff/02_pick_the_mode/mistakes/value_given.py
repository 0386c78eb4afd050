# expects: value-instead-of-function at 10
"""Passes a value instead of a function."""

import jax


def jacobian(f, x):
    if jax.eval_shape(f, x).size < x.size:
        return jax.jacrev(f(x))
    return jax.jacfwd(f(x))
