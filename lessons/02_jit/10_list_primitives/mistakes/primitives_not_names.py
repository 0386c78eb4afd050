# expects: TypeError at 8
"""Sorts primitives, which have no order."""

import jax


def primitive_names(f, *args):
    return sorted({eqn.primitive for eqn in jax.make_jaxpr(f)(*args).eqns})
