# expects: check jit
# says: Your function calls `f` and passes the answer to `jax.make_jaxpr`, which requires the
#     function.
"""Passes what f returns to make_jaxpr, which requires f."""

import jax


def primitive_names(f, *args):
    jaxpr = jax.make_jaxpr(f(*args))
    return sorted({eqn.primitive.name for eqn in jaxpr.eqns})
