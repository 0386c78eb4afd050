# expects: check result
# says: What the function makes by itself is not placed: a function without arguments computes on the
#     first device.
"""Places the arguments alone."""

import jax


def run_on(device, f, *args):
    return f(*jax.device_put(args, device))
