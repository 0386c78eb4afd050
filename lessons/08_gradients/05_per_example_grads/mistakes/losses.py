# expects: check values
# says: Your answer holds the losses, not their gradients.
"""Returns the losses themselves."""

import jax


def per_example(loss, params, xs, ys):
    return jax.vmap(loss, in_axes=(None, 0, 0))(params, xs, ys)
