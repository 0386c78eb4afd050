# expects: check values
# says: Your function places one of the arguments. If another is committed elsewhere, the two cannot
#     meet.
"""Places the first argument."""

import jax


def run_on(device, f, *args):
    with jax.default_device(device):
        if args:
            args = (jax.device_put(args[0], device), *args[1:])
        return jax.device_put(f(*args), device)
