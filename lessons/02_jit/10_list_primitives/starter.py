"""Read a jaxpr: which primitives are in it, at any depth?"""

import jax


def primitive_names(f, *args):
    """Return the sorted names of all primitives in the jaxpr of f, nested ones too."""
    jaxpr = jax.make_jaxpr(f)(*args)
    # TODO: this sees the outer equations only. Some of them hold jaxprs of their own.
    return sorted({eqn.primitive.name for eqn in jaxpr.eqns})
