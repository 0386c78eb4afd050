# expects: check values
# says: Your two moves are exchanged: the state moves out before the update, and in after it.
"""Exchanges the spaces."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        state = jax.device_put(state, jax.memory.Space.Host)
        params, state = update(params, state, grads)
        return params, jax.device_put(state, jax.memory.Space.Device)

    return step
