# expects: check jit
# says: `make_update(lr)` raises before there is a function to call. It returns the compiled
#     function, and the rate is not one of that function's arguments.
"""Compiles the step itself, and calls it with the rate."""

import jax


def make_update(lr):
    def update(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return jax.jit(update, donate_argnums=0)(lr)
