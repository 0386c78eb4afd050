# expects: check values
# says: Your list misses the names inside primitives that use a rare key. Do not go by keys: look
#     at every value in `params`.
"""Looks under a list of known keys."""

import jax

KEYS = ("jaxpr", "call_jaxpr", "fun_jaxpr", "branches", "body_jaxpr", "cond_jaxpr")


def names(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn.primitive.name
        for key in KEYS:
            value = eqn.params.get(key, ())
            for inner in value if isinstance(value, tuple) else (value,):
                yield from names(inner)


def primitive_names(f, *args):
    return sorted(set(names(jax.make_jaxpr(f)(*args))))
