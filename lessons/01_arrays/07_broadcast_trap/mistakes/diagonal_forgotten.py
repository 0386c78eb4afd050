# expects: check values
# says: Your answer compares each prediction with every truth and picks one of the results.
#     Prediction k belongs to truth k only.
"""Takes the mean of each row of the table, and then the smallest."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.min(jnp.mean((pred - y) ** 2, axis=1))
