# expects: check where
# says: `jax.device_get` returns NumPy arrays. The state should stay a tree of JAX arrays, in the
#     memory of the host that the device can reach.
"""Fetches the state with device_get."""

import jax


def parked_state(update):

    compiled = jax.jit(update)

    def step(params, state, grads):
        params, state = compiled(params, jax.device_put(state, jax.memory.Space.Device), grads)
        return params, jax.device_get(state)

    return step
