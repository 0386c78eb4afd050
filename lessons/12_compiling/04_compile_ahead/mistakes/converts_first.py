# expects: check one-shape
# says: Your program accepts other dtypes, because the arguments are converted before they reach
#     it. The problem asks for a `TypeError`.
"""Converts what the program is called with."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    program = jax.jit(f).lower(*spec).compile()

    def compiled(*args):
        return program(*jax.tree.map(lambda arg, s: jnp.asarray(arg, s.dtype), args, tuple(spec)))

    return compiled, program.cost_analysis().get("flops", 0.0)
