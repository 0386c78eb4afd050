# expects: check traced-only
# says: Your function runs `f` on real arrays. Only tracing is needed, and `jax.make_jaxpr` does
#     that.
"""Runs f first, to see whether it works."""

import jax
from jax.extend.core import subjaxprs


def names(jaxpr):
    found = {eqn.primitive.name for eqn in jaxpr.eqns}
    return found.union(*map(names, subjaxprs(jaxpr)))


def primitive_names(f, *args):
    f(*args)
    return sorted(names(jax.make_jaxpr(f)(*args).jaxpr))
