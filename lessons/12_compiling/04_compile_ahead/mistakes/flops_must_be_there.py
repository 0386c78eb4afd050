# expects: check values
# says: Your answer fails for a program that does no arithmetic: its costs have no such key. In
#     that case the problem asks for 0.
"""Expects that each program has flops."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(*spec).compile()
    return compiled, compiled.cost_analysis()["flops"]
