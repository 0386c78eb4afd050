# expects: check values
# says: Your answer knows some primitives by name and fails for the others. The equation has the
#     primitive itself, and that can be bound.
"""Looks for a function of jnp with the primitive's name."""

import jax
import jax.numpy as jnp
from jax.extend.core import Literal

NAMES = {"mul": jnp.multiply, "add": jnp.add, "sin": jnp.sin, "max": jnp.maximum}


def interpret(f):
    def run(*args):
        closed = jax.make_jaxpr(f)(*args)
        values = dict(zip(closed.jaxpr.invars, args))
        values.update(zip(closed.jaxpr.constvars, closed.consts))
        read = lambda v: v.val if isinstance(v, Literal) else values[v]
        for eqn in closed.jaxpr.eqns:
            values[eqn.outvars[0]] = NAMES[eqn.primitive.name](*map(read, eqn.invars))
        results = tuple(read(v) for v in closed.jaxpr.outvars)
        return results if len(results) > 1 else results[0]

    return run
