# expects: nothing
"""Bounds and activations that change nothing, and derivatives that are 1 for that reason."""

import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 2)
x = 1 + jax.random.uniform(keys[0], (32, 4))
y = x.sum(axis=1)


def loss(w):
    hidden = jax.nn.relu(jnp.maximum(x @ w, 0.0))
    hidden = jnp.clip(hidden, -1e6, 1e6)
    return ((hidden.sum(axis=1) - y) ** 2).mean()


def clipped(grad, most=1e3):
    return jnp.clip(grad, -most, most)


step = jax.jit(lambda w: w - 1e-3 * clipped(jax.grad(loss)(w)))
w = jax.random.uniform(keys[1], (4, 3))
for _ in range(10):
    w = step(w)
print(w, w - 1e-3 * jax.grad(loss)(w))
