# expects: check values
# says: Your answer forgets a constant error: a model that is always wrong by 3 gets 0. The
#     squares are taken of the errors themselves, not of their distance from the mean.
"""Takes the variance of the errors, which forgets their mean."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.var(pred[:, 0] - y)
