"""Read a jaxpr: which primitives are in it, at any depth?"""

import jax


def primitive_names(f, *args):
    """Return the sorted names of all primitives in the jaxpr of f, nested ones too."""
    return sorted(names_in(jax.make_jaxpr(f)(*args)))


def names_in(jaxpr):
    """Return the set of names in one jaxpr and in all that it holds."""
    names = set()
    for eqn in jaxpr.eqns:
        names.add(eqn.primitive.name)
        for value in eqn.params.values():
            # A cond keeps its branches in a tuple; most others hold one jaxpr or none.
            for inner in value if isinstance(value, tuple) else (value,):
                if hasattr(inner, "eqns"):
                    names |= names_in(inner)
    return names
