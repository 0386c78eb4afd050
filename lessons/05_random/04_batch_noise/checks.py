"""What batch-noise asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize


def subject(module):
    """Return what must be so whichever numbers come: the shape."""

    def shape(key, xs):
        return jnp.array(jnp.shape(module.add_noise(key, xs)))

    shape.draw = module.add_noise
    return shape


def zeros(rows, columns=3):
    """Rows without anything in them, so that the noise is seen as it is."""
    return np.zeros((rows, columns), np.float32)


EXAMPLES = [
    Call(jax.random.key(0), zeros(4)).gives([4, 3]),
    Call(jax.random.key(0), zeros(1, 2)).gives([1, 2]),
]


def has_no_noise_twice(shape):
    """Say which rows or elements share their noise."""
    noise = np.asarray(jax.jit(shape.draw)(jax.random.key(0), zeros(4)))
    if (noise[0] == noise[1:]).any():
        return "the rows share their noise"
    if np.unique(noise).size < noise.size:
        return "some elements share their noise"
    return None


def adds(shape):
    """Say whether the noise is standard, and added to xs."""
    draw = jax.jit(shape.draw)
    noise = np.asarray(draw(jax.random.key(1), zeros(4, 750)))
    mean, spread = noise.mean(), noise.std()
    if abs(mean) > 0.08 or abs(spread - 1) > 0.08:
        return f"3000 numbers of noise have mean {mean:.2f} and standard deviation {spread:.2f}"
    xs = np.arange(3000, dtype=np.float32).reshape(4, 750)
    moved = np.asarray(draw(jax.random.key(1), xs)) - noise
    return None if np.allclose(moved, xs, atol=0.01) else "the noise is not added to xs"


def follows_the_key(shape):
    """Say whether equal keys give equal noise, and other keys other noise."""
    draw = jax.jit(shape.draw)
    one, again, other = (np.asarray(draw(jax.random.key(s), zeros(4))) for s in (1, 1, 2))
    if (one != again).any():
        return "two calls with the same key gave different noise"
    return "two different keys gave the same noise" if (one == other).any() else None


def maps(shape):
    """Say whether a batch of keys gives what a loop over them gives."""
    keys = jax.random.split(jax.random.key(3), 2)
    mapped = np.asarray(jax.jit(jax.vmap(shape.draw, in_axes=(0, None)))(keys, zeros(4)))
    draw = jax.jit(shape.draw)
    looped = np.stack([np.asarray(draw(key, zeros(4))) for key in keys])
    return None if np.allclose(mapped, looped) else "under jax.vmap the noise is another"


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), zeros(4))], says="No key is used twice."),
    Custom("all-different", "Each number has noise of its own.", has_no_noise_twice),
    Custom("adds", "The noise is standard normal, and added to xs.", adds),
    Custom("follows-the-key", "The key decides about the noise.", follows_the_key),
    Custom("vmap", "Under jax.vmap over keys it gives what a loop gives.", maps),
    SameSize(
        [Call(jax.random.key(0), zeros(2)), Call(jax.random.key(0), zeros(20))],
        says="20 rows take no more equations than 2.",
    ),
]
