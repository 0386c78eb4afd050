# expects: check where
# says: A part of your state stays on the device. `jax.device_put` takes the whole tree.
"""Moves large arrays alone."""

import jax


def parked_state(update):

    @jax.jit
    def step(params, state, grads):
        state = jax.device_put(state, jax.memory.Space.Device)
        params, state = update(params, state, grads)
        return params, jax.tree.map(lambda x: jax.device_put(x, jax.memory.Space.Host) if x.ndim else x, state)

    return step
