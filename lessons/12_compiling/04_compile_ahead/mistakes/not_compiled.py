# expects: check jit
"""Stops after lowering."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    lowered = jax.jit(f).lower(*spec)
    return lowered, lowered.cost_analysis().get("flops", 0.0)
