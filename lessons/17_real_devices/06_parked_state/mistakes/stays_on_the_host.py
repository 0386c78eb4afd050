# expects: check values
# says: Your step computes with a state on the host and gradients on the device. It has to move the
#     state in first.
"""Moves the state out, and not in."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        params, state = update(params, state, grads)
        return params, jax.device_put(state, jax.memory.Space.Host)

    return step
