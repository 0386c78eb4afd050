# expects: check values
# says: Your list has some names more than once. Each name belongs in it once.
"""Keeps a name for each equation."""

import jax
from jax.extend.core import subjaxprs


def names(jaxpr):
    found = [eqn.primitive.name for eqn in jaxpr.eqns]
    for inner in subjaxprs(jaxpr):
        found += names(inner)
    return found


def primitive_names(f, *args):
    return sorted(names(jax.make_jaxpr(f)(*args).jaxpr))
