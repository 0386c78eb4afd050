# expects: check values
# says: Your function moves the result. By then, the arithmetic was done elsewhere, or could not be done
#     at all.
"""Places the result alone."""

import jax


def run_on(device, f, *args):
    return jax.device_put(f(*args), device)
