# expects: check arguments
# says: Your function changes the default device of the whole program. After the call, new arrays lie on
#     that device.
"""Changes the configuration."""

import jax


def run_on(device, f, *args):
    jax.config.update("jax_default_device", device)
    return jax.device_put(f(*jax.device_put(args, device)), device)
