# expects: check result
# says: Your function computes on the device of its first argument, and not on the one that it is told.
"""Follows the first argument."""

import jax


def run_on(device, f, *args):
    place = jax.tree.leaves(args)[0].device if args else device
    with jax.default_device(place):
        return jax.device_put(f(*jax.device_put(args, place)), place)
