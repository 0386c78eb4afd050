"""Checks for batch-noise."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize


def subject(module):
    """Return a function whose answer does not depend on the numbers: zeros of the same shape."""

    def shape(key, xs):
        return jax.tree.map(jnp.zeros_like, module.add_noise(key, xs))

    shape.draw = module.add_noise
    return shape


def zeros(rows, columns=3):
    """Return rows of zeros, so that the noise is seen as it is."""
    return np.zeros((rows, columns), np.float32)


EXAMPLES = [
    Call(jax.random.key(0), zeros(4)).gives(zeros(4).tolist()),
    Call(jax.random.key(0), zeros(1, 2)).gives(zeros(1, 2).tolist()),
]


def hidden(rng):
    """Yield as many rows as columns, and a single column."""
    yield Call(jax.random.key(0), zeros(3)).when("as many rows as columns")
    yield Call(jax.random.key(0), zeros(5, 1)).when("a single column")


def has_no_noise_twice(shape):
    """Return which rows or elements share their noise, or None."""
    noise = np.asarray(jax.jit(shape.draw)(jax.random.key(0), zeros(4)))
    if not noise.any():
        return "rows of zeros come back as zeros: no noise is added to them"
    if (noise[0] == noise[1:]).any():
        return "the rows share their noise"
    if (noise[:, :1] == noise[:, 1:]).any():
        return "the elements of one row share their noise"
    if np.unique(noise).size < noise.size:
        return "some elements share their noise"
    rows = np.asarray(jax.jit(shape.draw)(jax.random.key(0), zeros(3, 2000)))
    likeness = abs(np.corrcoef(rows) - np.eye(3)).max()
    if not likeness < 0.15:
        return f"the noise of one row follows from another: their correlation is {likeness:.2f}"
    return None


def adds(shape):
    """Return what is wrong with the noise or with how it is added to xs, or None."""
    draw = jax.jit(shape.draw)
    noise = np.asarray(draw(jax.random.key(1), zeros(4, 750)))
    mean, spread = noise.mean(), noise.std()
    if abs(mean) > 0.08 or abs(spread - 1) > 0.08:
        return f"3000 numbers of noise have mean {mean:.2f} and standard deviation {spread:.2f}"
    beyond = (abs(noise) > 2).mean()
    if not 0.02 < beyond < 0.08:
        return f"{beyond:.1%} of 3000 numbers lie beyond -2 and 2; in a normal distribution 4.6%"
    xs = np.arange(3000, dtype=np.float32).reshape(4, 750)
    moved = np.asarray(draw(jax.random.key(1), xs)) - noise
    return None if np.allclose(moved, xs, atol=0.01) else "the noise is not added to xs"


def follows_the_key(shape):
    """Return a message unless equal keys give equal noise, and other keys other noise."""
    draw = jax.jit(shape.draw)
    one, again, other = (np.asarray(draw(jax.random.key(s), zeros(4))) for s in (1, 1, 2))
    if (one != again).any():
        return "two calls with the same key gave different noise"
    return "two different keys gave the same noise" if (one == other).any() else None


def maps(shape):
    """Return a message unless a batch of keys gives what a loop over them gives."""
    keys = jax.random.split(jax.random.key(3), 2)
    mapped = np.asarray(jax.jit(jax.vmap(shape.draw, in_axes=(0, None)))(keys, zeros(4)))
    draw = jax.jit(shape.draw)
    looped = np.stack([np.asarray(draw(key, zeros(4))) for key in keys])
    return (
        None
        if np.allclose(mapped, looped)
        else "under jax.vmap the noise differs from that of single calls"
    )


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), zeros(4))], says="No key is used twice."),
    Custom("all-different", "Each element has its own, independent noise.", has_no_noise_twice),
    Custom("adds", "The noise is standard normal, and added to xs.", adds),
    Custom("follows-the-key", "The key decides the noise.", follows_the_key),
    Custom("vmap", "Under jax.vmap over keys it gives what a loop gives.", maps),
    SameSize(
        [Call(jax.random.key(0), zeros(2)), Call(jax.random.key(0), zeros(20))],
        says="20 rows take no more equations than 2.",
    ),
]
