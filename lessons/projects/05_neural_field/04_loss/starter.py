"""Colours and loss, in mixed precision."""

import jax
import jax.numpy as jnp


def predict(params, waves, places):
    """Return the colours of the network at places (n, 2), shape (n, 3), between 0 and 1."""
    x = encode(places, waves)
    for number, layer in enumerate(params):
        if number > 0:
            x = jax.nn.relu(x)
        x = x @ layer["w"] + layer["b"]
    return jax.nn.sigmoid(x)


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    # TODO: this is the largest difference, and the products of predict are in float32.
    return jnp.max(jnp.abs(predict(params, waves, places) - colours))
