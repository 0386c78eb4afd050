"""What kv-cache asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types, Vmap


def cache(length, rows=3, width=2, dtype=np.float32, seed=0, left=False):
    """Return a cache with `length` rows in use, and zeros in the others."""
    rng = np.random.default_rng(seed)
    used = np.arange(rows)[:, None] < length
    keys, values = (rng.normal(size=(rows, width)) * (used | left) for _ in range(2))
    keys, values = (np.asarray(it, dtype) for it in (keys, values))
    return {"k": keys, "v": values, "length": np.array(length, np.int32)}


def some(seed, width=2):
    """Return a query, a key and a value."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=width).astype(np.float32) for _ in range(3)]


ZERO = np.zeros(2, np.float32)
EMPTY = np.zeros((3, 2), np.float32)
FIRST = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], np.float32)
SECOND = np.array([[1.0, 0.0], [3.0, 2.0], [0.0, 0.0]], np.float32)

EXAMPLES = [
    Call(
        {"k": EMPTY, "v": EMPTY, "length": np.array(0, np.int32)},
        ZERO,
        ZERO,
        np.array([1.0, 0.0], np.float32),
    ).gives(({"k": EMPTY, "v": FIRST, "length": np.array(1)}, [1.0, 0.0])),
    Call(
        {"k": EMPTY, "v": FIRST, "length": np.array(1, np.int32)},
        ZERO,
        ZERO,
        np.array([3.0, 2.0], np.float32),
    ).gives(({"k": EMPTY, "v": SECOND, "length": np.array(2)}, [2.0, 1.0])),
]


def hidden(rng):
    """Caches half filled, nearly full, used before, and of half precision; large scores."""
    yield Call(cache(2, 5, 4), *some(int(rng.integers(99)), 4))
    last = Call(cache(4, 5, 4, seed=1), *some(int(rng.integers(99)), 4))
    yield last.when("one free row, the last")
    old = Call(cache(2, 5, 4, seed=2, left=True), *some(2, 4))
    yield old.when("rows not in use that are not 0")
    q, k, v = some(3, 4)
    yield Call(cache(2, 5, 4, seed=3), q * 400, k, v).when("large scores")
    yield Call(cache(1, dtype=jnp.bfloat16), *some(1)).when("a cache of bfloat16")


def not_as_at_once(decode_step):
    """Return where six steps differ from causal attention over six rows."""
    qs, ks, vs = np.random.default_rng(6).normal(size=(3, 6, 4)).astype(np.float32)
    scores = qs @ ks.T / 2
    weights = np.exp(np.where(np.tri(6) > 0, scores, -np.inf))
    wanted = weights / weights.sum(axis=1, keepdims=True) @ vs
    start = jax.tree.map(jnp.asarray, cache(0, 6, 4))
    _, answers = jax.lax.scan(lambda kept, row: decode_step(kept, *row), start, (qs, ks, vs))
    wrong = np.flatnonzero(~np.isclose(answers, wanted, rtol=1e-3, atol=1e-4).all(axis=1))
    return f"six steps in a scan differ at position {wrong[0]}" if wrong.size else None


STACKED = jax.tree.map(lambda *leaves: np.stack(leaves), cache(0), cache(2, seed=3))

PROPERTIES = [
    Types(
        [Call(cache(1, dtype=jnp.bfloat16), *some(1))],
        weak=False,
        says="Shapes and dtypes of the cache stay, and the answer is float32.",
    ),
    Custom("causal", "Six steps agree with causal attention over six rows.", not_as_at_once),
    Traces(
        [Call(cache(i), *some(i)) for i in range(3)],
        says="It is traced once for all positions.",
    ),
    Vmap(
        [Call(STACKED, *np.random.default_rng(8).normal(size=(3, 2, 2)).astype(np.float32))],
        says="Under jax.vmap each sequence has a length of its own.",
    ),
]
