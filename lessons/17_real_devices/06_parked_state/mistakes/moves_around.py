# expects: check whole
# says: Your moves are outside of the compiled function. Each is a program of its own then, which
#     nothing overlaps.
"""Moves around the compiled update, with two more programs."""

import jax


def parked_state(update):
    compiled = jax.jit(update)

    def step(params, state, grads):
        params, state = compiled(params, jax.device_put(state, jax.memory.Space.Device), grads)
        return params, jax.device_put(state, jax.memory.Space.Host)

    return step
