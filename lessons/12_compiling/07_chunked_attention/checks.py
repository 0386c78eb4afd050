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
    """Return queries, keys and values."""
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
    """Chunks of several lengths, scores that climb or fall, and scores far below 0."""
    q, k, v = qkv(6, 4)
    steps = np.arange(6, dtype=np.float32)[:, None]
    yield Call(q, k + steps, v, 2).when("scores that climb from chunk to chunk")
    yield Call(q, k - steps, v, 3).when("scores that fall from chunk to chunk")
    yield Call(q, k, v, 1).when("chunks of one row")
    yield Call(q, k, v, 6).when("a single chunk")
    yield Call(np.abs(q) + 2, k - 30, v, 2).when("scores far below 0")
    yield Call(12 * q, 12 * k, v, 2).when("scores in the hundreds")


Q, K, VALUES = qkv(6, 4)

PROPERTIES = [
    LargestIntermediate(
        # The table would have 16384 elements; 128 times 16 are 2048. A short chunk tells the
        # length of a piece from the number of pieces.
        [Call(*qkv(128, 16), 16), Call(*qkv(128, 16), 4)],
        at_most=2048,
        says="No value is larger than T * chunk or T * d, for chunks of 16 and of 4.",
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
        # Not larger: a right answer that carries a logarithm loses digits with the scores.
        [Call(Q, K + 8, VALUES, 2)],
        argnums=(0, 1, 2),
        finite=True,
        says="It has a gradient with respect to q, k and v.",
    ),
    Finite(
        [Call(Q, K + 200, VALUES, 2), Call(Q, K - 200, VALUES, 2)],
        gradient=True,
        argnums=(0, 1, 2),
        name="finite-gradient",
        says="The gradient is finite for large scores too.",
    ),
    Vmap(
        [Call(*qkv(2, 6, 4), 2)],
        in_axes=(0, 0, 0, None),
        says="Under jax.vmap each head has its own attention.",
    ),
]
