# expects: check values
# says: Your answer is scaled at the end. `norm` belongs before attention and before the network,
#     and the sums stay as they are.
"""Scales the result again."""

import jax
import jax.numpy as jnp

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
    return norm(x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"])
