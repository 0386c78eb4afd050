"""All leaves of the params; a jaxpr is a leaf because it is not a pytree."""

import jax


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield str(eqn.primitive)
        for leaf in jax.tree.leaves(eqn.params):
            if hasattr(leaf, "eqns"):
                yield from names(leaf)


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
