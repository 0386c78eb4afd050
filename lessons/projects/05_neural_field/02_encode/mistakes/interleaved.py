# expects: check values
# says: Your sine and cosine of each wave are neighbours. The problem has all the sines first.
"""Puts sine and cosine of a wave side by side."""

import jax.numpy as jnp


def encode(places, waves):
    phases = 2 * jnp.pi * places @ waves
    both = jnp.stack([jnp.sin(phases), jnp.cos(phases)], axis=-1)
    return both.reshape(places.shape[0], -1)
