# expects: check values
# says: The default device holds for arrays that nobody placed. Your arguments were placed, on two
#     different devices.
"""Sets the default device alone."""

import jax


def run_on(device, f, *args):
    with jax.default_device(device):
        return jax.device_put(f(*args), device)
