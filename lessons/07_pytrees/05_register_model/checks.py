"""Checks for register-model."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def subject(module):
    """Return a function that makes a Linear for each call, with class and predict as attributes."""

    def call(w, b, name, x):
        return module.predict(module.Linear(w, b, name), x)

    call.make, call.predict = module.Linear, module.predict
    return call


def of(rows, columns, scale=1.0):
    """Return a table of varied floats."""
    return np.cos(np.arange(rows * columns, dtype=np.float32)).reshape(rows, columns) * scale


EXAMPLES = [
    Call(
        np.array([[1.0, 2.0]], np.float32),
        np.array([0.5], np.float32),
        "first",
        np.array([10.0, 20.0], np.float32),
    ).gives([50.5]),
    Call(
        np.eye(2, dtype=np.float32),
        np.array([1.0, 2.0], np.float32),
        "second",
        np.array([3.0, 4.0], np.float32),
    ).gives([4.0, 6.0]),
]


def hidden(rng):
    """Yield other weights with a known name, and a bias of zeros."""
    w, b, x = (rng.normal(size=size).astype(np.float32) for size in ((2, 2), 2, 2))
    yield Call(w, b, "second", x)
    yield Call(w, 0 * b, "second", -x)


def model_and_input(call):
    """Return a model with three outputs and four inputs, and an input."""
    return call.make(of(3, 4), of(1, 3)[0], "third"), of(1, 4)[0]


def wrong_leaves(call):
    """Return what the leaves of a model are, if not w and b."""
    model, _ = model_and_input(call)
    leaves = jax.tree.leaves(model)
    if len(leaves) != 2:
        return f"a Linear has {len(leaves)} leaves; expected two, w and b"
    if not all(any(np.array_equal(leaf, part) for leaf in leaves) for part in (model.w, model.b)):
        return "the two leaves of a Linear are not w and b"
    return None


def is_no_model(call, found, what):
    """Return how something differs from a Linear named third, or None."""
    if type(found) is not call.make:
        return f"{what} is a {type(found).__name__}, expected a Linear"
    if found.name != "third":
        return f"{what} has the name {found.name!r}, expected 'third'"
    return None


def wrong_gradient(call):
    """Return what is wrong with the gradient with respect to a model, or None."""
    model, x = model_and_input(call)
    slope = jax.grad(lambda model: call.predict(model, x).sum())(model)
    problem = is_no_model(call, slope, "the gradient with respect to a Linear")
    if problem:
        return problem
    right = np.allclose(slope.w, np.tile(x, (3, 1))) and np.allclose(slope.b, 1)
    return None if right else "the gradient with respect to a Linear has wrong numbers"


def wrong_batch(call):
    """Return what is wrong when three models are stacked and mapped over, or None."""
    model, x = model_and_input(call)
    models = jax.tree.map(lambda leaf: np.stack([leaf, 2 * leaf, -leaf]), model)
    answers = jax.vmap(call.predict, in_axes=(0, None))(models, x)
    one = of(3, 4) @ x + of(1, 3)[0]
    right = np.allclose(answers, np.stack([one, 2 * one, -one]), atol=1e-4)
    return None if right else "three models under jax.vmap give other answers than single calls"


def wrong_jacobian(call):
    """Return what is wrong with the derivative of all answers, or None."""
    model, x = model_and_input(call)
    jacobian = jax.jacrev(call.predict)(model, x)
    problem = is_no_model(call, jacobian, "the Jacobian with respect to a Linear")
    if problem:
        return problem
    return (
        None
        if np.allclose(jacobian.b, np.eye(3))
        else "the Jacobian with respect to b is not the identity"
    )


X = np.array([1.0, 2.0, 3.0], np.float32)

PROPERTIES = [
    Custom("two-leaves", "A Linear has two leaves, w and b.", wrong_leaves),
    Traces(
        [Call(of(5, 3, scale), of(1, 5)[0], "same", X) for scale in (1, 2, 3)],
        says="It is traced once for models of the same name and shape.",
    ),
    Traces(
        [Call(of(6, 3), of(1, 6)[0], name, X) for name in ("left", "right", "left", "right")],
        times=2,
        name="traces-per-name",
        says="It is traced twice for two names, and not again.",
    ),
    Custom("gradient-model", "The gradient with respect to a Linear is a Linear.", wrong_gradient),
    Custom("vmap-models", "Stacked models can be mapped over by jax.vmap.", wrong_batch),
    Custom("jacobian", "The Jacobian with respect to a Linear is a Linear.", wrong_jacobian),
]
