# expects: check arguments
# says: Your function sets the default device back at its end. If `f` raises, the end is not
#     reached.
"""Sets the default device back by hand."""

import jax


def run_on(device, f, *args):
    before = jax.config.jax_default_device
    jax.config.update("jax_default_device", device)
    answer = jax.device_put(f(*jax.device_put(args, device)), device)
    jax.config.update("jax_default_device", before)
    return answer
