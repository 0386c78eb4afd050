# expects: check rest
# says: Your biases are converted to bfloat16. Their gradient is a sum over all places, and you
#     compute it in bfloat16: from some size on, such a sum no longer grows.
"""Adds the biases in bfloat16."""

import jax
import jax.numpy as jnp


def encode(places, waves):
    """Return sine and cosine of each wave at each place: (n, 2) and (2, m) give (n, 2 * m)."""
    phases = 2 * jnp.pi * (places @ waves)  # a column of waves says how many turns per unit
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)


def predict(params, waves, places):
    x = encode(places, waves)
    for number, layer in enumerate(params):
        if number > 0:
            x = jax.nn.relu(x)
        x = x.astype(jnp.bfloat16) @ layer["w"].astype(jnp.bfloat16) + layer["b"].astype(
            jnp.bfloat16
        )
    return jax.nn.sigmoid(x.astype(jnp.float32))


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    return jnp.mean((predict(params, waves, places) - colours) ** 2)
