# expects: check values
"""Looks into compiled calls, and not into loops and branches."""

import jax


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        if "jaxpr" in eqn.params:
            yield from names(eqn.params["jaxpr"])


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
