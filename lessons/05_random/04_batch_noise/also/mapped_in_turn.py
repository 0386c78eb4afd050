"""One row after the other, in a compiled loop."""

import jax


def add_noise(key, xs):
    keys = jax.random.split(key, xs.shape[0])
    return jax.lax.map(lambda both: both[1] + jax.random.normal(both[0], both[1].shape), (keys, xs))
