# expects: check walks
"""Runs the function after all."""

import jax


def interpret(f):
    def run(*args):
        jax.make_jaxpr(f)(*args)
        return f(*args)

    return run
