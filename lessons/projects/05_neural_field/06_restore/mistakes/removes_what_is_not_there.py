# expects: check raised
"""Removes a second file that may not have been written."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from zipfile import BadZipFile

import jax
import jax.numpy as jnp
import numpy as np


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

    def step(state, _):
        key, now = jax.random.split(state["key"])  # one goes on, one draws
        rows = jax.random.randint(now, (ROWS,), 0, places.shape[0])
        batch = state["waves"], places[rows], colours[rows]
        value, grads = jax.value_and_grad(loss)(state["params"], *batch)
        return {**adam(state, grads), "key": key}, value

    return jax.lax.scan(step, state, length=steps)


def is_key(leaf):
    """Return whether a leaf of a state holds random keys."""
    return jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def save(path, state):
    """Write the leaves of a state to an npz file; the old file stays until the new one is whole."""
    leaves = [jax.random.key_data(x) if is_key(x) else x for x in jax.tree.leaves(state)]
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as file:  # savez adds ".npz" to a name, and nothing to an open file
            np.savez(file, *map(np.asarray, leaves))
    except OSError:
        part.unlink()
        raise
    part.replace(path)


def as_leaf(array, like):
    """Return an array from a file as a leaf of the kind of like; raise ValueError if it differs."""
    if is_key(like):
        array = jax.random.wrap_key_data(array, impl=jax.random.key_impl(like))
    elif array.dtype.kind == "V" and array.dtype.itemsize == like.dtype.itemsize:
        array = array.view(like.dtype)  # npz keeps the bytes of bfloat16, and not its name
    if (array.shape, array.dtype) != (like.shape, like.dtype):
        raise ValueError(f"{array.dtype}{array.shape} in place of {like.dtype}{like.shape}")
    return jnp.asarray(array)


def restore(path, like):
    """Return the state in a file; raise ValueError if it is not whole or does not fit like."""
    leaves, tree = jax.tree.flatten(like)
    try:
        with np.load(path) as file:
            arrays = [file[name] for name in file.files]
        pairs = zip(arrays, leaves, strict=True)
        return tree.unflatten([as_leaf(array, leaf) for array, leaf in pairs])
    except (BadZipFile, EOFError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a checkpoint of this run: {error}") from error
