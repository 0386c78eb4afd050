# expects: check no-warning
# says: You donate more arrays than the step returns. JAX can use only one donated buffer for each
#     result, and warns about the rest; the gradients should stay.
"""Donates both trees, though only one comes out."""

import jax


def make_update(lr):
    def update(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return jax.jit(update, donate_argnums=(0, 1))
