"""A neural field: a small network that learns an image as a function of the place in it."""

from functools import partial
from itertools import pairwise

import jax
import jax.numpy as jnp


def scene(places):
    """Return the colours of the image at places (n, 2), shape (n, 3): a sun over a striped sea."""
    down, right = places[:, 0], places[:, 1]
    height = (down + 1) / 2
    colours = jnp.stack([0.15 + 0.5 * height, 0.3 + 0.3 * height, 0.7 - 0.2 * height], axis=1)

    def edge(distance):
        return jax.nn.sigmoid(40 * distance)  # 0 outside, 1 inside, with a narrow border

    sun = edge(0.4 - jnp.hypot(down + 0.25, right - 0.2))
    hill = edge(down - 0.1 + 0.25 * jnp.cos(3 * right + 2))
    sea = edge(down - 0.3)
    stripes = sea * (0.5 + 0.5 * jnp.sin(28 * down + 2 * jnp.sin(5 * right)))
    shares = [sun, hill, sea, stripes]
    paints = [[1.0, 0.85, 0.3], [0.1, 0.3, 0.15], [0.05, 0.25, 0.5], [0.7, 0.85, 0.95]]
    for share, paint in zip(shares, paints, strict=True):
        colours = colours + share[:, None] * (jnp.array(paint) - colours)
    return colours


def grid(height, width):
    """Return the centres of the pixels, row by row, shape (height * width, 2): down, right."""
    down = (2 * jnp.arange(height) + 1) / height - 1  # a pixel is 2 / height high
    right = (2 * jnp.arange(width) + 1) / width - 1
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2)


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
    """Return the state after so many steps, and the loss of each step, shape (steps,)."""
    image = jnp.concatenate([places, colours], axis=1)

    def step(state, now):
        next_key, draw = jax.random.split(state["key"])
        batch = jax.random.permutation(draw, image)[:ROWS]
        if batch.shape[0] < ROWS:
            batch = jax.random.choice(draw, image, (ROWS,))

        def error(params):
            return loss(params, state["waves"], batch[:, :2], batch[:, 2:])

        value, grads = jax.value_and_grad(error)(state["params"])
        state = adam(state, grads)
        state["key"] = next_key
        return state, value

    state, losses = jax.lax.scan(step, state, jnp.arange(steps))
    return state, losses
