# expects: check traces
# says: With `out_shardings`, the state is on the host and its type does not say so. The next call is
#     traced again.
"""Moves the state out with out_shardings."""

from functools import partial

import jax


def parked_state(update):
    device = jax.devices()[0]
    inside = jax.sharding.SingleDeviceSharding(device, memory_kind="device")
    outside = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")

    @partial(jax.jit, out_shardings=(inside, outside))
    def step(params, state, grads):
        return update(params, jax.device_put(state, jax.memory.Space.Device), grads)

    return step
