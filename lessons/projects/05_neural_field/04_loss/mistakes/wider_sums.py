# expects: check products
# says: With `preferred_element_type=jnp.float32`, the product going forwards is in bfloat16. But
#     what comes back from it in the gradient is float32, and so are the products of the gradient.
"""Asks the product for a float32 sum."""

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
        x = jnp.matmul(
            x.astype(jnp.bfloat16),
            layer["w"].astype(jnp.bfloat16),
            preferred_element_type=jnp.float32,
        )
        x = x + layer["b"]
    return jax.nn.sigmoid(x)


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    return jnp.mean((predict(params, waves, places) - colours) ** 2)
