# expects: removed-api at 10
"""Tests for a class that has moved."""

import jax

def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        for value in eqn.params.values():
            if isinstance(value, jax.core.ClosedJaxpr):
                yield from names(value.jaxpr)


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args).jaxpr)))
