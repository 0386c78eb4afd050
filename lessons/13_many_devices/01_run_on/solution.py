"""Which device computes: run a function on the device that the caller names."""

import jax


def run_on(device, f, *args):
    """Return f(*args), computed on device and committed to it."""
    with jax.default_device(device):  # for arrays that f makes, which nobody has placed
        answer = f(*jax.device_put(args, device))
    return jax.device_put(answer, device)
