# expects: check values
# says: Your step moves the parameters to the host as well. They are needed on the device.
"""Moves all that the update returns."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        state = jax.device_put(state, jax.memory.Space.Device)
        return jax.device_put(update(params, state, grads), jax.memory.Space.Host)

    return step
