# expects: check values
# says: Your waves make half a turn where the problem's make a whole one. A whole turn is 2π.
"""Takes π for a turn."""

import jax.numpy as jnp


def encode(places, waves):
    phases = jnp.pi * places @ waves
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)
