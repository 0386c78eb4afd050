# expects: check where
# says: The new state of your step is on the device. It has to move out after the update.
"""Moves the state in, and not out."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        state = jax.device_put(state, jax.memory.Space.Device)
        params, state = update(params, state, grads)
        return params, state

    return step
