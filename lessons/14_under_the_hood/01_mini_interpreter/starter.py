"""A small interpreter: run a jaxpr, equation by equation."""

import jax


def interpret(f):
    """Return a function that computes f by walking through its jaxpr."""

    def run(*args):
        closed = jax.make_jaxpr(f)(*args)
        values = dict(zip(closed.jaxpr.invars, args, strict=True))
        # TODO: this knows variables only, one result each, and no constants.
        for eqn in closed.jaxpr.eqns:
            inputs = [values[v] for v in eqn.invars]
            values[eqn.outvars[0]] = eqn.primitive.bind(*inputs, **eqn.params)
        return tuple(values[v] for v in closed.jaxpr.outvars)

    return run
