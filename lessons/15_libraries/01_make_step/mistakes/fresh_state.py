# expects: check values
# says: Each of your steps begins with an empty memory, as the first one did: momentum and averages
#     never build up.
"""Initialises the state in every step."""

import jax
import optax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, state = tx.update(grads, tx.init(params), params)
        return optax.apply_updates(params, updates), state, value

    return step
