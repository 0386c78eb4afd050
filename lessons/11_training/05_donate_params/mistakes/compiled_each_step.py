# expects: check traces-once
# says: Your step is traced again in every call. The compiled function is made once, when
#     `make_update` runs, and then used for all steps.
"""Compiles again for each step."""

import jax


def make_update(lr):
    def update(params, grads):
        def step(params, grads):
            return jax.tree.map(lambda p, g: p - lr * g, params, grads)

        return jax.jit(step, donate_argnums=0)(params, grads)

    return update
