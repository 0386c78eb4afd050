# expects: check jit
"""Hands make_jaxpr what f returns, where it wants f."""

import jax


def primitive_names(f, *args):
    jaxpr = jax.make_jaxpr(f(*args))
    return sorted({eqn.primitive.name for eqn in jaxpr.eqns})
