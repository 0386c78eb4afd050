"""One draw of the whole shape."""

import jax


def add_noise(key, xs):
    return xs + jax.random.normal(key, xs.shape)
