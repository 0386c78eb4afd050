# expects: check jit
# says: Your function sorts primitives, which have no order. Sort their names.
"""Sorts primitives, which have no order."""

import jax


def primitive_names(f, *args):
    return sorted({eqn.primitive for eqn in jax.make_jaxpr(f)(*args).eqns})
