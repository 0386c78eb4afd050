# expects: check inside
# says: Your update meets its arrays on the host. Only the state waits there, and it comes to the
#     device for the update.
"""Computes on the host, and moves the parameters back."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        params, state, grads = jax.device_put((params, state, grads), jax.memory.Space.Host)
        params, state = update(params, state, grads)
        return jax.device_put(params, jax.memory.Space.Device), jax.device_put(state, jax.memory.Space.Host)

    return step
