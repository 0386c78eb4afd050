"""Sorts the places, with those that do not count at the end."""

import jax.numpy as jnp


def positive_indices(x, size):
    n = x.size
    places = jnp.sort(jnp.where(x > 0, jnp.arange(n), n))
    places = jnp.pad(places, (0, size), constant_values=n)[:size]
    return jnp.where(places < n, places, -1)
