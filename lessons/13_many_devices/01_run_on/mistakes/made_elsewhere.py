# expects: check made-inside
# says: What the function makes by itself is made on the first device, and copied when it meets the
#     arguments.
"""Places arguments and result."""

import jax


def run_on(device, f, *args):
    return jax.device_put(f(*jax.device_put(args, device)), device)
