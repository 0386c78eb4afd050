# expects: check values
"""Reads the outer equations only."""

import jax


def primitive_names(f, *args):
    return sorted({eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns})
