"""What chunked-attention asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import (
    Call,
    Finite,
    Gradient,
    LargestIntermediate,
    SameSize,
    Types,
    Uses,
    Vmap,
)

STATIC = ("chunk",)


def qkv(*shape, dtype=np.float32, scale=1.0):
    """Queries, keys and values."""
    rng = np.random.default_rng(shape[-2])
    return [np.asarray(rng.normal(size=shape) * scale, dtype) for _ in range(3)]


TWO = np.zeros((2, 1), np.float32)
FAR = np.array([[100.0], [-100.0]], np.float32)
V = np.array([[1.0], [3.0]], np.float32)

EXAMPLES = [
    Call(TWO, TWO, V, 1).gives([[2.0], [2.0]]),
    Call(FAR, FAR, V, 2).gives([[1.0], [3.0]]),
]


def hidden(rng):
    """Several chunks, with scores that climb from chunk to chunk."""
    q, k, v = qkv(6, 4)
    yield Call(q, k + np.arange(6, dtype=np.float32)[:, None], v, 2)


Q, K, VALUES = qkv(6, 4)

PROPERTIES = [
    LargestIntermediate(
        # The table would have 16384 elements; 128 times 16 are 2048.
        [Call(*qkv(128, 16), 16)],
        at_most=2048,
        says="The table of all scores is never there at once.",
    ),
    Uses(
        [Call(*qkv(12, 4), 2)],
        primitives=("scan", "while"),
        name="loop",
        says="It runs in a loop of JAX.",
    ),
    SameSize(
        [Call(*qkv(12, 4), 2), Call(*qkv(24, 4), 2)],
        says="Twice the length takes no more equations.",
    ),
    Finite(
        [Call(*qkv(6, 4, scale=60.0), 2)],
        says="Scores in the thousands give finite answers.",
    ),
    Types(
        [Call(*qkv(6, 4, dtype=jnp.bfloat16), 2)],
        says="The answer has the dtype of q.",
    ),
    Gradient(
        [Call(Q, K + 60, VALUES, 2)],
        argnums=(0, 1, 2),
        finite=True,
        says="It has a gradient in q, k and v, for large scores too.",
    ),
    Vmap(
        [Call(*qkv(2, 6, 4), 2)],
        in_axes=(0, 0, 0, None),
        says="Under jax.vmap each head has its own attention.",
    ),
]
