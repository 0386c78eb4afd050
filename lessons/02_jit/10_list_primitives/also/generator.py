"""Yields the names of whatever holds jaxprs, lists and tuples alike."""

import jax


def names(thing):
    if hasattr(thing, "eqns"):
        for eqn in thing.eqns:
            yield eqn.primitive.name
            yield from names(list(eqn.params.values()))
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from names(part)


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
