"""What register-model asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def subject(module):
    """Make a Linear for each call; the class and predict stay at hand."""

    def call(w, b, name, x):
        return module.predict(module.Linear(w, b, name), x)

    call.make, call.predict = module.Linear, module.predict
    return call


def of(rows, columns, scale=1.0):
    """Make a table of varied floats."""
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
    """Other weights under a name that was there, and a bias of zeros."""
    w, b, x = (rng.normal(size=size).astype(np.float32) for size in ((2, 2), 2, 2))
    yield Call(w, b, "second", x)
    yield Call(w, 0 * b, "second", -x)


def model_and_input(call):
    """Make a model of three outputs and four inputs."""
    return call.make(of(3, 4), of(1, 3)[0], "third"), of(1, 4)[0]


def wrong_leaves(call):
    """Say what the leaves of a model are, if not w and b."""
    model, _ = model_and_input(call)
    leaves = jax.tree.leaves(model)
    if len(leaves) != 2:
        return f"a Linear has {len(leaves)} leaves; asked for are two, w and b"
    return None


def is_no_model(call, found, what):
    """Say what is wrong with something that should be a Linear named third."""
    if type(found) is not call.make:
        return f"{what} is a {type(found).__name__}, asked for is a Linear"
    if found.name != "third":
        return f"{what} has the name {found.name!r}, asked for is 'third'"
    return None


def wrong_gradient(call):
    """Say what is wrong with the gradient by a model."""
    model, x = model_and_input(call)
    slope = jax.grad(lambda model: call.predict(model, x).sum())(model)
    problem = is_no_model(call, slope, "the gradient by a Linear")
    if problem:
        return problem
    right = np.allclose(slope.w, np.tile(x, (3, 1))) and np.allclose(slope.b, 1)
    return None if right else "the gradient by a Linear has wrong numbers"


def wrong_batch(call):
    """Say what is wrong when three models are stacked and mapped over."""
    model, x = model_and_input(call)
    models = jax.tree.map(lambda leaf: np.stack([leaf, 2 * leaf, -leaf]), model)
    answers = jax.vmap(call.predict, in_axes=(0, None))(models, x)
    one = of(3, 4) @ x + of(1, 3)[0]
    right = np.allclose(answers, np.stack([one, 2 * one, -one]), atol=1e-4)
    return None if right else "three models under jax.vmap give other answers than one by one"


def wrong_jacobian(call):
    """Say what is wrong with the derivative of all answers by a model."""
    model, x = model_and_input(call)
    jacobian = jax.jacrev(call.predict)(model, x)
    problem = is_no_model(call, jacobian, "the Jacobian by a Linear")
    if problem:
        return problem
    return None if np.allclose(jacobian.b, np.eye(3)) else "the Jacobian by b is not the identity"


X = np.array([1.0, 2.0, 3.0], np.float32)

PROPERTIES = [
    Custom("two-leaves", "A Linear has two leaves, w and b.", wrong_leaves),
    Traces(
        [Call(of(5, 3, scale), of(1, 5)[0], "same", X) for scale in (1, 2, 3)],
        says="Three models of one name and shape trace it once.",
    ),
    Traces(
        [Call(of(6, 3), of(1, 6)[0], name, X) for name in ("left", "right", "left", "right")],
        times=2,
        name="traces-per-name",
        says="Two names trace it twice, and then both are known.",
    ),
    Custom("gradient-model", "The gradient by a Linear is a Linear.", wrong_gradient),
    Custom("vmap-models", "Stacked models can be mapped over by jax.vmap.", wrong_batch),
    Custom("jacobian", "jax.jacrev by a Linear works.", wrong_jacobian),
]
