# expects: check values
# says: Your cosines are below the sines, as further rows. They belong beside them: a row for each
#     place, with everything about it.
"""Joins along the first axis."""

import jax.numpy as jnp


def encode(places, waves):
    phases = 2 * jnp.pi * places @ waves
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)])
