# expects: check donated
"""Compiles the step and donates nothing."""

import jax


def make_update(lr):
    return jax.jit(lambda params, grads: jax.tree.map(lambda p, g: p - lr * g, params, grads))
