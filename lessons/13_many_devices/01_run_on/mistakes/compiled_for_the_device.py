# expects: check as-it-is
# says: Your function compiles `f` and says where its results go. The problem asks for `f` as it is:
#     compiled, it has no devices to ask for.
"""Compiles the function with a sharding for its results."""

import jax


def run_on(device, f, *args):
    place = jax.sharding.SingleDeviceSharding(device)
    with jax.default_device(device):
        return jax.jit(f, out_shardings=place)(*jax.device_put(args, place))
