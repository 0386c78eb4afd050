"""What weights-as-arguments asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, NoConstants, Traces

JIT = False

FIRST = np.array([[1.0], [0.0]], np.float32)


def subject(module):
    """Make one model of the first weights, and call it with any weights."""
    forward, weights = in_two(module.make_model(jax.numpy.asarray(FIRST)))

    def call(weights, x):
        return forward(weights, x)

    call.weights = weights
    call.make_model = module.make_model
    return call


def in_two(answer):
    """Return the function and the weights; raise TypeError where the answer is not that pair."""
    if isinstance(answer, tuple | list) and len(answer) == 2 and callable(answer[0]):
        return answer
    kinds = [type(it).__name__ for it in answer] if isinstance(answer, tuple | list) else answer
    raise TypeError(f"make_model returns (forward, weights), a function and an array; got {kinds}")


def table(rows, columns, seed=0):
    """Return weights that are not round numbers."""
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)


EXAMPLES = [
    Call(FIRST, np.array([0.0, 5.0], np.float32)).gives([0.0]),
    Call(np.zeros((2, 1), np.float32), np.array([3.0, 5.0], np.float32)).gives([0.0]),
]


def hidden(rng):
    """Weights that the model was not made with, and a table that is not square."""
    rows = rng.normal(size=(3, 2)).astype(np.float32)
    yield Call(table(2, 1, 1), rows).when("weights that the model was not made with")
    yield Call(table(2, 1, 2), rows[0]).when("weights that the model was not made with")


def returns_other_weights(call):
    """Return what the second thing is, if not the weights."""
    if np.shape(call.weights) == FIRST.shape and np.array_equal(call.weights, FIRST):
        return None
    return f"beside forward, make_model(W) returned {call.weights!r}, which is not W"


def large_program(call):
    """Return how long the program is for 10,000 weights."""
    W = jax.device_put(table(100, 100))
    forward, weights = in_two(call.make_model(W))
    text = jax.jit(forward).lower(weights, np.ones(100, np.float32)).as_text()
    if len(text) < 10_000:
        return None
    return f"for 10,000 weights the program is a text of {len(text):,} characters"


def donated(call):
    """Return whether a call has used the weights up, where an answer of their shape could."""
    forward, weights = in_two(call.make_model(jax.device_put(table(2, 2))))
    jax.block_until_ready(forward(weights, np.ones((2, 2), np.float32)))
    return "after a call the weights are deleted" if weights.is_deleted() else None


X = np.ones((4, 3), np.float32)

PROPERTIES = [
    Custom("weights", "Beside the function it returns the weights.", returns_other_weights),
    NoConstants(
        [Call(table(2, 1), np.ones((5, 2), np.float32))],
        at_most=0,
        says="No array is a constant of the program.",
    ),
    Custom("program", "The program does not grow with the weights.", large_program),
    Custom("weights-stay", "The weights are still there after a call.", donated),
    Traces(
        [Call(table(3, 2, 1), X), Call(table(3, 2, 2), X), Call(table(3, 2, 3), X)],
        says="It is traced once for all weights of the same shape.",
    ),
]
