# expects: check values
"""Expects that each program has flops."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(*spec).compile()
    return compiled, compiled.cost_analysis()["flops"]
