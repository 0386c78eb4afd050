# expects: check donated
# says: After a step the old parameters are still there. A compiled function keeps its arguments
#     unless you tell it which of them it may take over.
"""Compiles the step and donates nothing."""

import jax


def make_update(lr):
    return jax.jit(lambda params, grads: jax.tree.map(lambda p, g: p - lr * g, params, grads))
