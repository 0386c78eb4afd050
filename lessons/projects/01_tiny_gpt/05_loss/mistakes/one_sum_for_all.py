# expects: check values
# says: Your scores are normalised over all places and rows together. The probabilities of one
#     place add up to 1: their axis is the last.
"""Leaves the axis of logsumexp out."""

import jax
import jax.numpy as jnp

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


def logits(params, ids):
    """Return a score for each next character, of shape (len(ids), characters)."""
    x = params["tok"][ids] + params["pos"][: len(ids)]
    # The blocks are stacked, so scan hands them out one by one: one block in the program.
    x, _ = jax.lax.scan(lambda x, p: (block(p, x), None), x, params["blocks"])
    return norm(x) @ params["head"]


def mean_loss(params, inputs, targets):
    scores = jax.vmap(logits, in_axes=(None, 0))(params, inputs)
    taken = jnp.take_along_axis(scores, targets[..., None], axis=-1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(scores) - taken)
