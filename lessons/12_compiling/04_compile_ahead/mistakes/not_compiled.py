# expects: check jit
# says: Your first result cannot be called: it is a program that has been lowered and not
#     compiled.
"""Stops after lowering."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    lowered = jax.jit(f).lower(*spec)
    return lowered, lowered.cost_analysis().get("flops", 0.0)
