"""JAX's own traversal, and a list of what is still to be read."""

import jax
from jax.extend.core import subjaxprs


def primitive_names(f, *args):
    found = set()
    waiting = [jax.make_jaxpr(f)(*args).jaxpr]
    while waiting:
        jaxpr = waiting.pop()
        found |= {eqn.primitive.name for eqn in jaxpr.eqns}
        waiting += subjaxprs(jaxpr)
    return sorted(found)
