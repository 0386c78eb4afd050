# expects: check not-run
# says: Your Jacobian is right, but `f` is computed on `x` only for the shape of its answer. The
#     shape is known without computing anything.
"""Runs f to see how many outputs it has."""

import jax


def jacobian(f, x):
    outputs = f(x).size
    return jax.jacrev(f)(x) if outputs < x.size else jax.jacfwd(f)(x)
