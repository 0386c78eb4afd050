# expects: one-value-everywhere at 10
"""Weights of neighbours far away, by a kernel whose width is in another unit."""

import jax
import jax.numpy as jnp


def smooth(queries, points, values, width):
    distances = ((queries[:, None] - points[None]) ** 2).sum(axis=-1)
    weights = jnp.exp(-distances / width**2)
    return weights @ values / (weights.sum(axis=1) + 1e-8)


keys = jax.random.split(jax.random.key(0), 3)
points = 100 * jax.random.uniform(keys[0], (32, 2))
queries = 200 + 100 * jax.random.uniform(keys[1], (16, 2))
print(jax.jit(smooth)(queries, points, jax.random.normal(keys[2], (32,)), 1.0))
