# expects: check result
# says: The result lies on the device, but only by default: nobody has committed it.
"""Does not place the result."""

import jax


def run_on(device, f, *args):
    with jax.default_device(device):
        return f(*jax.device_put(args, device))
