# expects: check other-shapes
# says: Your answer is right in the first call and wrong for other shapes later. A jaxpr is for
#     the shapes that it was made with.
"""Makes the jaxpr in the first call, and keeps it."""

import jax
from jax.extend.core import Literal


def interpret(f):
    kept = []

    def run(*args):
        if not kept:
            kept.append(jax.make_jaxpr(f)(*args))
        closed = kept[0]
        jaxpr = closed.jaxpr
        values = dict(zip(jaxpr.constvars, closed.consts, strict=True))
        values.update(zip(jaxpr.invars, args, strict=True))

        def read(v):
            return v.val if isinstance(v, Literal) else values[v]

        for eqn in jaxpr.eqns:
            params = eqn.primitive.get_bind_params(eqn.params)
            outs = eqn.primitive.bind(*map(read, eqn.invars), **params)
            if not eqn.primitive.multiple_results:
                outs = [outs]  # one result, like a list of one
            values.update(zip(eqn.outvars, outs, strict=True))
        results = [read(v) for v in jaxpr.outvars]
        return results[0] if len(results) == 1 else tuple(results)

    return run
