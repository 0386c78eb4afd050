"""Compiles the gradient."""

import jax


def uphill(height, place):
    return jax.jit(jax.grad(lambda x: height(x)))(place)
