# expects: check values
# says: Your list has the names of the outer equations only. Some equations hold jaxprs of their
#     own, whatever their names are.
"""Looks into equations by a name that JAX no longer uses."""

import jax


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        if eqn.primitive.name == "pjit":
            yield from names(eqn.params["jaxpr"])


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
