# expects: check traces-once
# says: A new compiled function is made for every step, so every step is traced and compiled. Make
#     one, and return it.
"""Calls jax.jit in every step."""

import jax
import optax


def make_step(loss, tx):
    def step(params, state, batch):
        @jax.jit
        def inner(params, state, batch):
            value, grads = jax.value_and_grad(loss)(params, batch)
            updates, state = tx.update(grads, state, params)
            return optax.apply_updates(params, updates), state, value

        return inner(params, state, batch)

    return step
