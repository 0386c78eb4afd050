# expects: check values
# says: Your function accepts arrays of one shape only. Another shape needs another program, which
#     is made when it first arrives.
"""Compiles for the first shape ahead of time, and has no program for another."""

import jax
import jax.numpy as jnp


def compile_once(f):
    return jax.jit(f).lower(jnp.ones(3)).compile()
