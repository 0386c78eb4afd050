# expects: check walks
# says: Your answer comes from JAX's own interpreter. This lesson asks you to write it.
"""Asks JAX's own interpreter."""

import jax


def interpret(f):
    def run(*args):
        closed = jax.make_jaxpr(f)(*args)
        results = jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *args)
        return results[0] if len(results) == 1 else tuple(results)

    return run
