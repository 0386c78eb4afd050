"""What weights-as-arguments asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, NoConstants, Traces

JIT = False

FIRST = np.array([[1.0], [0.0]], np.float32)


def subject(module):
    """Make one model of the first weights, and hand it any weights."""
    model = module.make_model(jax.numpy.asarray(FIRST))
    forward, weights = model

    def call(weights, x):
        return forward(weights, x)

    call.weights = weights
    call.make_model = module.make_model
    return call


def table(rows, columns, seed=0):
    """Weights that are no round numbers."""
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)


EXAMPLES = [
    Call(FIRST, np.array([0.0, 5.0], np.float32)).gives([0.0]),
    Call(np.zeros((2, 1), np.float32), np.array([3.0, 5.0], np.float32)).gives([0.0]),
]


def hidden(rng):
    """Other weights than those the model was made with."""
    yield Call(table(2, 1, 1), rng.normal(size=(3, 2)).astype(np.float32))


def returns_other_weights(call):
    """Say what the second thing is, if not the weights."""
    if np.shape(call.weights) == FIRST.shape and np.array_equal(call.weights, FIRST):
        return None
    return f"beside forward, make_model(W) returned something else than W: {call.weights!r}"


def large_program(call):
    """Say how long the program is for 10,000 weights."""
    W = jax.device_put(table(100, 100))
    forward, weights = call.make_model(W)
    text = jax.jit(forward).lower(weights, np.ones(100, np.float32)).as_text()
    if len(text) < 10_000:
        return None
    return f"for 10,000 weights the program is a text of {len(text):,} characters"


X = np.ones((4, 3), np.float32)

PROPERTIES = [
    Custom("weights", "Beside the function it returns the weights.", returns_other_weights),
    NoConstants(
        [Call(table(2, 1), np.ones((5, 2), np.float32))],
        at_most=0,
        says="No array is a constant of the program.",
    ),
    Custom("program", "The program does not grow with the weights.", large_program),
    Traces(
        [Call(table(3, 2, 1), X), Call(table(3, 2, 2), X), Call(table(3, 2, 3), X)],
        says="Other weights of one shape trace it once.",
    ),
]
