# expects: check values
# says: Your list has the names of the outer equations only. Some equations hold jaxprs of their
#     own, whatever their names are.
"""Reads the outer equations only."""

import jax


def primitive_names(f, *args):
    return sorted({eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns})
