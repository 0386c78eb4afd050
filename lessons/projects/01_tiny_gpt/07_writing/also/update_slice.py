"""A tiny GPT: it learns to write from one page of text."""

import sys
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

TEXT = """Alice was beginning to get very tired of sitting by her sister on the bank, and of having
nothing to do: once or twice she had peeped into the book her sister was reading, but it had no
pictures or conversations in it, "and what is the use of a book," thought Alice "without pictures
or conversations?"

So she was considering in her own mind (as well as she could, for the hot day made her feel very
sleepy and stupid), whether the pleasure of making a daisy-chain would be worth the trouble of
getting up and picking the daisies, when suddenly a White Rabbit with pink eyes ran close by her.

There was nothing so very remarkable in that; nor did Alice think it so very much out of the way
to hear the Rabbit say to itself, "Oh dear! Oh dear! I shall be late!" (when she thought it over
afterwards, it occurred to her that she ought to have wondered at this, but at the time it all
seemed quite natural); but when the Rabbit actually took a watch out of its waistcoat-pocket, and
looked at it, and then hurried on, Alice started to her feet, for it flashed across her mind that
she had never before seen a rabbit with either a waistcoat-pocket, or a watch to take out of it,
and burning with curiosity, she ran across the field after it, and fortunately was just in time to
see it pop down a large rabbit-hole under the hedge.

In another moment down went Alice after it, never once considering how in the world she was to get
out again.
"""  # Lewis Carroll, Alice's Adventures in Wonderland, 1865
CHARS = sorted(set(TEXT))


def encode(text):
    """Return the number of each character in CHARS, as int32."""
    return jnp.array([CHARS.index(char) for char in text], jnp.int32)


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
    mask = jnp.arange(cache["k"].shape[2]) <= place

    def layer(x, each):
        p, room = each
        q, *new = jnp.split(norm(x) @ p["qkv"], 3)
        new = [row.reshape(HEADS, 1, -1) for row in new]
        k = jax.lax.dynamic_update_slice_in_dim(room["k"], new[0], place, axis=1)
        v = jax.lax.dynamic_update_slice_in_dim(room["v"], new[1], place, axis=1)
        q = q.reshape(HEADS, 1, -1)
        scores = (q @ k.swapaxes(1, 2))[:, 0] / jnp.sqrt(q.shape[-1])
        weights = jax.nn.softmax(scores, where=mask)
        x = x + (weights[:, None] @ v).ravel() @ p["out"]
        return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], {"k": k, "v": v}

    x, cache = jax.lax.scan(layer, x, (params["blocks"], cache))
    return norm(x) @ params["head"], cache


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


def draw_curve(losses, width=64, height=12):
    """Return the loss curve as rows of text."""
    points = np.array([part.mean() for part in np.array_split(np.asarray(losses), width)])
    low, high = points.min(), points.max()
    heights = np.round((points - low) / max(high - low, 1e-9) * (height - 1)).astype(int)
    rows = ["".join("*" if h == row else " " for h in heights) for row in reversed(range(height))]
    labels = [f"{high:5.2f}", *["     "] * (height - 2), f"{low:5.2f}"]
    return "\n".join(f"{label} |{row}" for label, row in zip(labels, rows, strict=True))


def save(path, params):
    """Write a checkpoint: to a temporary file first, so that a full disk spoils nothing."""
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(params)]
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as file:
            np.savez(file, *leaves)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        return f"The parameters were not saved: {error}."
    return f"The parameters are in {path}."


def save_picture(path, losses):
    """Write the loss curve as a PNG if matplotlib is installed."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return "For a PNG of the curve: pip install matplotlib"
    figure, axes = plt.subplots()
    axes.plot(np.asarray(losses))
    axes.set(xlabel="step", ylabel="loss in nats")
    try:
        figure.savefig(path)
    except OSError as error:
        return f"The picture was not saved: {error}."
    return f"The curve is in {path}."


def main():
    """Train, draw the curve, keep the parameters, and write a few lines."""
    here, began = Path(__file__), time.perf_counter()
    params, losses = train(jax.random.key(0), encode(TEXT), 400)
    bad = np.flatnonzero(~np.isfinite(losses))
    if bad.size:
        sys.exit(f"The training diverged: the loss is not finite at step {bad[0] + 1}.")
    print(draw_curve(losses))
    seconds = time.perf_counter() - began
    print(f"{len(losses)} steps in {seconds:.0f} s, loss {losses[-50:].mean():.2f}")
    print(save_picture(here.with_suffix(".png"), losses))
    print(save(here.with_suffix(".npz"), params))
    for start in ("Alice", "There", "In an"):
        key, prompt = jax.random.key(1), encode(start)
        print("-", decode(generate(params, key, prompt, CONTEXT - len(prompt))))


if __name__ == "__main__":
    main()
