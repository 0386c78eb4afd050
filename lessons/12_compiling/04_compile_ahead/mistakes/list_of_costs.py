# expects: KeyError at 10
"""The costs as older versions gave them, in a list."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(*spec).compile()
    return compiled, compiled.cost_analysis()[0]["flops"]
