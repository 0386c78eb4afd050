# expects: check adds
# says: Your answer is the noise alone. It should be added to `xs`.
"""Returns the noise, and forgets the rows."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    keys = jax.random.split(key, len(xs))
    return jax.vmap(lambda k, row: jax.random.normal(k, row.shape))(keys, xs)
