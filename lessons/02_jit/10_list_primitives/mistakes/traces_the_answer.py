# expects: TypeError at 8
"""Passes what f returns to make_jaxpr, which requires f."""

import jax


def primitive_names(f, *args):
    jaxpr = jax.make_jaxpr(f(*args))
    return sorted({eqn.primitive.name for eqn in jaxpr.eqns})
