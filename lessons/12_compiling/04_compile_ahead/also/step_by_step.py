"""All three steps by their names."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    traced = jax.jit(f).trace(*spec)
    compiled = traced.lower().compile()
    costs = compiled.cost_analysis() or {}
    return compiled, costs["flops"] if "flops" in costs else 0
