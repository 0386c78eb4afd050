"""A training step whose optimizer state waits in the host's memory."""

import jax


def parked_state(update):
    """Return update, compiled, as a step whose state is in the host's memory between calls."""

    @jax.jit
    def step(params, state, grads):
        state = jax.device_put(state, jax.memory.Space.Device)
        params, state = update(params, state, grads)
        return params, jax.device_put(state, jax.memory.Space.Host)

    return step
