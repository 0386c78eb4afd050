"""Checks for sample-tokens."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, Traces, Types, Vmap

KEY = jax.random.key(0)
LOGITS = np.array([1.0, 3.0, 2.0], np.float32)
NEVER = -np.inf

EXAMPLES = [
    Call(KEY, LOGITS, 0.0).gives(1),
    Call(KEY, np.array([NEVER, NEVER, 0.5], np.float32), 1.0).gives(2),
]


def hidden(rng):
    """Yield calls at temperature 0 and near it, forbidden words, and a single word."""
    for seed in range(3):
        yield Call(jax.random.key(seed), rng.normal(size=3).astype(np.float32), 0.0)
    yield Call(KEY, np.array([-5.0, -9.0, -1.0], np.float32), 0.0).when("negative logits")
    yield Call(KEY, np.array([0.0, 40.0, 10.0], np.float32), 0.5)
    for seed in range(6):
        close = np.array([1.0, 1.0 + 3e-7, 1.0 + 1.5e-7], np.float32)
        yield Call(jax.random.key(seed), close, 0.0).when("nearly equal logits at temperature 0")
        low = np.array([0.0, 0.02, 0.01], np.float32)
        yield Call(jax.random.key(seed), low, 0.001).when("a very low temperature")
    yield Call(KEY, np.array([NEVER, -3.0, NEVER], np.float32), 0.0).when("forbidden words")
    yield Call(KEY, np.array([-3.0], np.float32), 2.0).when("a single word")


DRAWS = 20_000


@functools.cache
def compiled(sample):
    """Compile many draws side by side, once for all checks that need them."""
    return jax.jit(jax.vmap(sample, in_axes=(0, None, None)))


def has_frequencies(sample):
    """Return which frequencies are off, over many draws at four temperatures, or None."""
    row = np.log(np.array([0.7, 0.2, 0.1], np.float32)) + 3
    keys = jax.random.split(jax.random.key(1), DRAWS)
    for temperature in (1.0, 2.0, 0.5, 0.001):
        logits = row * np.float32(min(temperature / 0.5, 1))
        wanted = np.exp(logits / temperature)
        wanted /= wanted.sum()
        drawn = np.int64(compiled(sample)(keys, logits, temperature))
        found = np.bincount(drawn, minlength=3) / DRAWS
        if abs(found - wanted).max() > 0.03:
            asked, got = (", ".join(f"{share:.2f}" for share in s) for s in (wanted, found))
            return f"at temperature {temperature:g} the frequencies are {got}; expected {asked}"
    return None


def follows_the_key(sample):
    """Return a message unless the same keys draw the same words."""
    keys = jax.random.split(jax.random.key(2), DRAWS)
    one, again = (np.asarray(compiled(sample)(keys, jnp.zeros(3), 1.0)) for _ in range(2))
    return None if (one == again).all() else "the same key drew two different words"


PROPERTIES = [
    KeysOnce([Call(KEY, LOGITS, 1.0)], says="No key is used twice."),
    Custom("frequencies", "Each word comes up as often as it should.", has_frequencies),
    Custom("follows-the-key", "The key alone decides the draw.", follows_the_key),
    Types([Call(KEY, LOGITS, 0.5)], weak=False, says="The answer is an int32 of shape ()."),
    Vmap(
        [Call(jax.random.split(KEY, 2), np.stack([LOGITS, -LOGITS]), 0.0)],
        in_axes=(0, 0, None),
        says="Under jax.vmap each row of logits gets the answer of a single call.",
    ),
    Traces(
        [Call(KEY, LOGITS, temperature) for temperature in (0.0, 0.5, 2.0)],
        says="It is traced once for repeated calls with different temperatures.",
    ),
]
