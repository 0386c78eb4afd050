# expects: AttributeError at 9
"""Lowers a function that is not compiled."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = f.lower(*spec).compile()
    return compiled, compiled.cost_analysis().get("flops", 0.0)
