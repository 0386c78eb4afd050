# expects: params-not-for-bind at 18
"""Hands the parameters of an equation to bind as they are stored."""

import jax
from jax.extend.core import Literal


def interpret(f):
    def run(*args):
        closed = jax.make_jaxpr(f)(*args)
        env = dict(zip(closed.jaxpr.invars, args))
        env.update(zip(closed.jaxpr.constvars, closed.consts))

        def read(v):
            return v.val if isinstance(v, Literal) else env[v]

        for eqn in closed.jaxpr.eqns:
            out = eqn.primitive.bind(*map(read, eqn.invars), **eqn.params)
            if not eqn.primitive.multiple_results:
                out = [out]
            env.update(zip(eqn.outvars, out))
        outs = [read(v) for v in closed.jaxpr.outvars]
        return outs[0] if len(outs) == 1 else tuple(outs)

    return run
