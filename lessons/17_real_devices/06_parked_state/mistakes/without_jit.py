# expects: check jitted
# says: Your update is not compiled. Put the moves and the update into one compiled function.
"""Leaves jit out."""

import jax


def parked_state(update):

    def step(params, state, grads):
        state = jax.device_put(state, jax.memory.Space.Device)
        params, state = update(params, state, grads)
        return params, jax.device_put(state, jax.memory.Space.Host)

    return step
