# expects: check values
# says: Your waves are converted to bfloat16 before the angles are computed. The angle of a fast
#     wave is then wrong by a large part of a turn.
"""Converts everything at the start."""

import jax
import jax.numpy as jnp


def encode(places, waves):
    """Return sine and cosine of each wave at each place: (n, 2) and (2, m) give (n, 2 * m)."""
    phases = 2 * jnp.pi * (places @ waves)  # a column of waves says how many turns per unit
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)


def predict(params, waves, places):
    x = encode(places.astype(jnp.bfloat16), waves.astype(jnp.bfloat16))
    for number, layer in enumerate(params):
        if number > 0:
            x = jax.nn.relu(x)
        x = (x.astype(jnp.bfloat16) @ layer["w"].astype(jnp.bfloat16)).astype(jnp.float32) + layer[
            "b"
        ]
    return jax.nn.sigmoid(x)


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    return jnp.mean((predict(params, waves, places) - colours) ** 2)
