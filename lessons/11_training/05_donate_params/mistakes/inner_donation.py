# expects: check donated
# says: After a step the caller's arrays are still there. Donation counts only where real arrays
#     go in, at the outermost `jax.jit`.
"""Donates inside another compiled function, where it has no effect."""

import jax


def make_update(lr):
    def step(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    inner = jax.jit(step, donate_argnums=0)

    @jax.jit
    def update(params, grads):
        return inner(params, grads)

    return update
