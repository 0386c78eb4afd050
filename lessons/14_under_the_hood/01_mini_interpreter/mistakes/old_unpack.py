# expects: unpack-count-mismatch at 21
"""Unpacks two things, as older versions returned."""

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
            _, params = eqn.primitive.get_bind_params(eqn.params)
            outs = eqn.primitive.bind(*map(read, eqn.invars), **params)
            if not eqn.primitive.multiple_results:
                outs = [outs]  # one result, like a list of one
            values.update(zip(eqn.outvars, outs, strict=True))
        results = [read(v) for v in jaxpr.outvars]
        return results[0] if len(results) == 1 else tuple(results)

    return run
