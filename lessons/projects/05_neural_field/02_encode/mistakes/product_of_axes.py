# expects: check values
# says: Your sine is that of each coordinate by itself, added up. A slanted wave is the sine of
#     the sum.
"""Takes the sine before the sum."""

import jax.numpy as jnp


def encode(places, waves):
    phases = 2 * jnp.pi * places[:, :, None] * waves
    return jnp.concatenate([jnp.sin(phases).sum(1), jnp.cos(phases).sum(1)], axis=-1)
