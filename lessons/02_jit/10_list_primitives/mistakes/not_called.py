# expects: check jit
# says: Your function asks a function for its `eqns`. `jax.make_jaxpr(f)` is a function; called
#     with arguments, it returns a jaxpr.
"""Makes the function that traces, and never calls it."""

import jax


def primitive_names(f, *args):
    jaxpr = jax.make_jaxpr(f)
    return sorted({eqn.primitive.name for eqn in jaxpr.eqns})
