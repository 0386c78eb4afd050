# expects: check values
"""Looks into equations by a name that JAX no longer gives."""

import jax


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        if eqn.primitive.name == "pjit":
            yield from names(eqn.params["jaxpr"])


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
