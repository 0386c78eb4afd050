# expects: check rest
# says: Your differences are rounded to bfloat16 before they are squared, so the loss has only two
#     or three right digits.
"""Computes the loss in bfloat16."""

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
    return jax.nn.sigmoid(x)


def loss(params, waves, places, colours):
    off = (predict(params, waves, places) - colours).astype(jnp.bfloat16)
    return jnp.mean(off**2).astype(jnp.float32)
