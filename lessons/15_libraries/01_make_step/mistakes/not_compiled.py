# expects: check traces-once
# says: Your step is not compiled: Python runs its lines again for every batch.
"""Forgets jax.jit."""

import jax
import optax


def make_step(loss, tx):
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    return step
