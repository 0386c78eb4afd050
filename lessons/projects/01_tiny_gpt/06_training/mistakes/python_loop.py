# expects: check equations
# says: Your steps are not one loop in the program: a Python loop is unrolled, and the program
#     grows with every step.
"""Loops over the steps in Python."""

from functools import partial

import jax
import jax.numpy as jnp

CHARS = "abcdefghijklmnopqrstuvwxyz ABCDE,.;:\"'?"[:39]


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
    params, losses = init(start), []
    state = adam_init(params)
    for count, now in enumerate(jax.random.split(draws, steps), 1):
        starts = jax.random.randint(now, (ROWS,), 0, len(ids) - CONTEXT)
        batch = windows(ids, starts, CONTEXT)
        loss, grads = jax.value_and_grad(mean_loss)(params, *batch)
        params, state = adam_update(grads, state, params, count)
        losses.append(loss)
    return params, jnp.stack(losses)
