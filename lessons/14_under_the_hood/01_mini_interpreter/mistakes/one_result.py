# expects: check values
# says: Your answer is wrong where a primitive has several results: they come as a list, one for
#     each of the output variables.
"""Takes every result for one."""

import jax
from jax.extend.core import Literal


def interpret(f):
    """Return a function that computes f by walking through its jaxpr."""

    def run(*args):
        closed = jax.make_jaxpr(f)(*args)
        jaxpr = closed.jaxpr
        values = dict(zip(jaxpr.constvars, closed.consts, strict=True))
        values.update(zip(jaxpr.invars, args, strict=True))

        def read(v):
            return v.val if isinstance(v, Literal) else values[v]

        for eqn in jaxpr.eqns:
            params = eqn.primitive.get_bind_params(eqn.params)
            outs = eqn.primitive.bind(*map(read, eqn.invars), **params)
            outs = [outs]
            values.update(zip(eqn.outvars, outs))
        results = [read(v) for v in jaxpr.outvars]
        return results[0] if len(results) == 1 else tuple(results)

    return run
