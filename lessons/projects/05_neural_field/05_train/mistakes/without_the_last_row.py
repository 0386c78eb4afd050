# expects: check batches
# says: Your rows never include the last one. The upper bound of `jax.random.randint` is excluded
#     already.
"""Draws below the last row."""

from functools import partial
from itertools import pairwise

import jax
import jax.numpy as jnp


def encode(places, waves):
    """Return sine and cosine of each wave at each place: (n, 2) and (2, m) give (n, 2 * m)."""
    phases = 2 * jnp.pi * (places @ waves)  # a column of waves says how many turns per unit
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)


def init(key, sizes):
    """Return a list with a layer for each two neighbouring sizes: {"w": (a, b), "b": (b,)}."""
    keys = jax.random.split(key, len(sizes) - 1)  # a key of its own for each layer
    return [
        {"w": jax.random.normal(key, (a, b)) * (2 / a) ** 0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]


def predict(params, waves, places):
    """Return the colours of the network at places (n, 2), shape (n, 3), between 0 and 1."""
    x = encode(places, waves)  # in float32: the angle of a fast wave needs the digits
    for number, layer in enumerate(params):
        if number > 0:
            x = jax.nn.relu(x)
        product = x.astype(jnp.bfloat16) @ layer["w"].astype(jnp.bfloat16)
        x = product.astype(jnp.float32) + layer["b"]
    return jax.nn.sigmoid(x)


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    return jnp.mean((predict(params, waves, places) - colours) ** 2)


ROWS = 512
RATE = 5e-3


def fresh(key, sizes=(64, 64, 64, 3), speed=2.0):
    """Return the state of a run before its first step; the waves have `speed` turns per unit."""
    first, second, key = jax.random.split(key, 3)
    params = init(first, sizes)
    waves = speed * jax.random.normal(second, (2, sizes[0] // 2))
    zeros = jax.tree.map(jnp.zeros_like, params)
    run = {"params": params, "m": zeros, "v": zeros, "count": jnp.int32(0)}
    return {**run, "waves": waves, "key": key}


def adam(state, grads):
    """Return the state with new parameters, averages and count; the rest stays as it is."""
    count = state["count"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, state["v"], grads)
    rate = RATE * jnp.sqrt(1 - 0.99**count) / (1 - 0.9**count)

    def move(p, m, v):
        return p - rate * m / (jnp.sqrt(v) + 1e-8)

    params = jax.tree.map(move, state["params"], m, v)
    return {**state, "params": params, "m": m, "v": v, "count": count}


@partial(jax.jit, static_argnames="steps")
def train(state, places, colours, steps):
    def step(state, _):
        key, now = jax.random.split(state["key"])
        rows = jax.random.randint(now, (ROWS,), 0, places.shape[0] - 1)
        batch = state["waves"], places[rows], colours[rows]
        value, grads = jax.value_and_grad(loss)(state["params"], *batch)
        return {**adam(state, grads), "key": key}, value

    return jax.lax.scan(step, state, length=steps)
