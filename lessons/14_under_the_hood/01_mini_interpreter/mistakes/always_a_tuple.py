# expects: check values
# says: Your answer is a tuple also where `f` returns one array. One output is returned by itself.
"""Returns a tuple of one."""

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
            if not eqn.primitive.multiple_results:
                outs = [outs]  # one result, like a list of one
            values.update(zip(eqn.outvars, outs, strict=True))
        results = [read(v) for v in jaxpr.outvars]
        return tuple(results)

    return run
