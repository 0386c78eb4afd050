# expects: check not-run
"""Runs f to see how long its answer is."""

import jax


def jacobian(f, x):
    outputs = f(x).size
    return jax.jacrev(f)(x) if outputs < x.size else jax.jacfwd(f)(x)
