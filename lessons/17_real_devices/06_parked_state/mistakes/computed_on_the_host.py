# expects: check where
# says: Your step moves parameters and gradients to the host instead of the state to the device. So
#     the host computes.
"""Brings everything to the state."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        params, state, grads = jax.device_put((params, state, grads), jax.memory.Space.Host)
        params, state = update(params, state, grads)
        return jax.device_put(params, jax.memory.Space.Host), jax.device_put(state, jax.memory.Space.Host)

    return step
