# expects: check values
# says: Your step adds the gradient itself. What has to be added is what the optimiser returns for
#     it.
"""Adds the gradients instead of the updates."""

import jax
import optax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, grads), state, value

    return step
