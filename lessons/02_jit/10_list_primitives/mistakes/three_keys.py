# expects: check values
# says: Your list misses names, because some primitives keep their jaxprs under other keys. Do not
#     go by keys: look at every value in `params`.
"""Looks under three keys only."""

import jax


def primitive_names(f, *args):
    waiting, found = [jax.make_jaxpr(f)(*args)], set()
    while waiting:
        for eqn in waiting.pop().eqns:
            found.add(eqn.primitive.name)
            if "jaxpr" in eqn.params:
                waiting.append(eqn.params["jaxpr"])
            if "body_jaxpr" in eqn.params:
                waiting.append(eqn.params["body_jaxpr"])
            waiting.extend(eqn.params.get("branches", ()))
    return sorted(found)
