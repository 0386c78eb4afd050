# expects: check traces
# says: Your step makes a new compiled function in each call, so JAX traces in each call.
"""Compiles in each call."""

import jax


def parked_state(update):

    def step(params, state, grads):
        compiled = jax.jit(lambda *args: update(*args))
        state = jax.device_put(state, jax.memory.Space.Device)
        params, state = compiled(params, state, grads)
        return params, jax.device_put(state, jax.memory.Space.Host)

    return step
