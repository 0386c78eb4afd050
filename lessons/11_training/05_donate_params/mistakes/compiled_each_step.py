# expects: check traces-once
"""Compiles anew for each step."""

import jax


def make_update(lr):
    def update(params, grads):
        def step(params, grads):
            return jax.tree.map(lambda p, g: p - lr * g, params, grads)

        return jax.jit(step, donate_argnums=0)(params, grads)

    return update
