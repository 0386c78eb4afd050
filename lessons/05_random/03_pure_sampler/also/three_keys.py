"""An array of keys, unpacked by index."""

import jax


def draw(state):
    keys = jax.random.split(state, 3)
    x = jax.random.uniform(keys[1], shape=(), minval=0.0, maxval=1.0)
    return keys[0], x
