# expects: check values
# says: Your mask sets scores to 0, and a score of 0 still has a weight. Places that are not
#     filled need minus infinity.
"""Masks with 0 in place of minus infinity."""

import sys
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

CHARS = "abcdefghijklmnopqrstuvwxyz ABCDE,.;:\"'?"[:39]


def decode(ids):
    """Return the text of these numbers."""
    return "".join(CHARS[i] for i in ids)


def windows(ids, starts, length):
    """Return inputs and targets, both of shape (len(starts), length), of the text ids."""
    places = starts[:, None] + jnp.arange(length)  # a row of places for each start
    return ids[places], ids[places + 1]


def attend(q, k, v):
    """Return for each place a mean of v up to there. All have shape (heads, length, size)."""
    scores = q @ jnp.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5
    places = jnp.arange(q.shape[-2])
    # Before the softmax: what is left out gets weight 0, and the other weights add up to 1.
    scores = jnp.where(places <= places[:, None], scores, -jnp.inf)
    return jax.nn.softmax(scores, axis=-1) @ v


HEADS = 4


def norm(x):
    """Scale each row to a mean square of 1."""
    return x * jax.lax.rsqrt(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6)


def block(p, x):
    """Return x, of shape (length, width), after attention and a small network."""
    length, width = x.shape

    def heads(y):
        return y.reshape(length, HEADS, -1).swapaxes(0, 1)  # the axis of places stays whole

    q, k, v = map(heads, jnp.split(norm(x) @ p["qkv"], 3, axis=-1))
    mixed = attend(q, k, v).swapaxes(0, 1).reshape(length, width)
    x = x + mixed @ p["out"]
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]


CONTEXT = 64
WIDTH = 64
LAYERS = 2


def init(key, layers=LAYERS):
    """Return fresh parameters; those of all blocks are stacked, the first axis is the layer."""
    keys = jax.random.split(key, 7)

    def draw(key, *shape, scale=1.0):
        return scale * jax.random.normal(key, shape) / shape[-2] ** 0.5

    return {
        "tok": draw(keys[0], len(CHARS), WIDTH),
        "pos": draw(keys[1], CONTEXT, WIDTH),
        "blocks": {
            "qkv": draw(keys[2], layers, WIDTH, 3 * WIDTH),
            "out": draw(keys[3], layers, WIDTH, WIDTH, scale=0.5),
            "up": draw(keys[4], layers, WIDTH, 4 * WIDTH),
            "down": draw(keys[5], layers, 4 * WIDTH, WIDTH, scale=0.5),
        },
        "head": draw(keys[6], WIDTH, len(CHARS), scale=0.1),
    }


def logits(params, ids):
    """Return a score for each next character, of shape (len(ids), characters)."""
    x = params["tok"][ids] + params["pos"][: len(ids)]
    # The blocks are stacked, so scan hands them out one by one: one block in the program.
    x, _ = jax.lax.scan(lambda x, p: (block(p, x), None), x, params["blocks"])
    return norm(x) @ params["head"]


def mean_loss(params, inputs, targets):
    """Return the mean surprise at the targets, in nats. Both have shape (rows, length)."""
    scores = jax.vmap(logits, in_axes=(None, 0))(params, inputs)
    surprises = -jax.nn.log_softmax(scores)  # never log(softmax(x)): a weight of 0 has no log
    return jnp.take_along_axis(surprises, targets[..., None], axis=-1).mean()


ROWS = 16
RATE = 3e-3


def adam_init(params):
    """Return the state before the first step: two averages of each parameter."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"m": zeros, "v": zeros}


def adam_update(grads, state, params, count):
    """Return parameters and state after step number `count`, which is 1 for the first."""
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, state["v"], grads)

    def move(p, m, v):
        m_hat, v_hat = m / (1 - 0.9**count), v / (1 - 0.99**count)
        return p - RATE * m_hat / (jnp.sqrt(v_hat) + 1e-8)

    return jax.tree.map(move, params, m, v), {"m": m, "v": v}


@partial(jax.jit, static_argnames="steps")
def train(key, ids, steps):
    """Return the parameters after so many steps, and the loss of each step."""
    start, draws = jax.random.split(key)
    params = init(start)

    def step(carry, now):
        params, state = carry
        key, count = now
        starts = jax.random.randint(key, (ROWS,), 0, len(ids) - CONTEXT)
        batch = windows(ids, starts, CONTEXT)
        loss, grads = jax.value_and_grad(mean_loss)(params, *batch)
        return adam_update(grads, state, params, count), loss

    # A key and a number for each step: scan hands out both, and stacks the losses.
    each = jax.random.split(draws, steps), jnp.arange(1, steps + 1)
    (params, _), losses = jax.lax.scan(step, (params, adam_init(params)), each)
    return params, losses


def empty_cache(params):
    """Return room for the keys and values of CONTEXT places, in each layer and head."""
    layers, width, _ = params["blocks"]["qkv"].shape
    room = jnp.zeros((layers, HEADS, CONTEXT, width // HEADS))
    return {"k": room, "v": room}


def next_logits(params, cache, token, place):
    """Return the scores after the token at a place, and the cache with that place filled."""
    x = params["tok"][token] + params["pos"][place]

    def layer(x, each):
        p, k, v = each  # k and v have shape (HEADS, CONTEXT, size)
        q, new_k, new_v = (norm(x) @ p["qkv"]).reshape(3, HEADS, -1)
        k, v = k.at[:, place].set(new_k), v.at[:, place].set(new_v)
        scores = jnp.einsum("hs,hts->ht", q, k) / q.shape[-1] ** 0.5
        # The shape never changes; the places that are still empty are masked.
        scores = jnp.where(jnp.arange(k.shape[1]) <= place, scores, 0.0)
        mixed = jnp.einsum("ht,hts->hs", jax.nn.softmax(scores), v).reshape(x.shape)
        x = x + mixed @ p["out"]
        return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], (k, v)

    each = (params["blocks"], cache["k"], cache["v"])
    x, (k, v) = jax.lax.scan(layer, x, each)
    return norm(x) @ params["head"], {"k": k, "v": v}


@partial(jax.jit, static_argnames="count")
def generate(params, key, prompt, count):
    """Return the prompt and `count` characters drawn one after the other; CONTEXT at most."""

    def step(carry, now):
        cache, token = carry
        key, place, given = now
        token = jnp.where(place < len(prompt), given, token)
        scores, cache = next_logits(params, cache, token, place)
        return (cache, jax.random.categorical(key, scores / 0.7)), token

    total = len(prompt) + count
    given = jnp.pad(prompt, (0, count))
    each = jax.random.split(key, total), jnp.arange(total), given
    return jax.lax.scan(step, (empty_cache(params), given[0]), each)[1]

