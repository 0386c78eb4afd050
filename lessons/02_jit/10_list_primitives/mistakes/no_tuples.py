# expects: check values
# says: Your list misses the names inside branches: a `cond` keeps its jaxprs in a tuple.
"""Misses the branches, which are in a tuple."""

import jax


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        for value in eqn.params.values():
            if hasattr(value, "eqns"):
                yield from names(value)


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
