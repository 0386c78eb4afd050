"""A path along the density."""

import jax


def leapfrog(logp, q, p, step, n):
    """Return place and momentum (q, p) after n steps of length step; logp is the log density."""
    # TODO: these are Euler's steps, which leave the path soon, and all n are in the program.
    for _ in range(n):
        q, p = q + step * p, p + step * jax.grad(logp)(q)
    return q, p
