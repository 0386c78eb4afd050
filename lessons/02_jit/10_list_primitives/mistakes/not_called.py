# expects: AttributeError at 9
"""Makes the function that traces, and never calls it."""

import jax


def primitive_names(f, *args):
    jaxpr = jax.make_jaxpr(f)
    return sorted({eqn.primitive.name for eqn in jaxpr.eqns})
