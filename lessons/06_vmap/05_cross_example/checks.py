"""Checks for cross-example."""

import inspect

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, SameSize, Types


def subject(module):
    """Return the function of a batch, with the module of both."""

    def center_batch(xs):
        return module.center_batch(xs)

    center_batch.module = module
    return center_batch


EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float32)).gives([-2.0, -1.0, 3.0]),
    Call(np.array([[1.0, 10.0], [3.0, 30.0]], np.float32)).gives([[-1.0, -10.0], [1.0, 10.0]]),
]


def hidden(rng):
    """Yield vectors, tables, a square batch, equal examples and a single example."""
    yield Call(rng.normal(5.0, 2.0, size=(4, 3)).astype(np.float32))
    yield Call(rng.normal(5.0, 2.0, size=(3, 2, 2)).astype(np.float32)).when(
        "examples that are tables"
    )
    yield Call(rng.normal(5.0, 2.0, size=(3, 3)).astype(np.float32)).when(
        "as many examples as elements"
    )
    yield Call(np.array([7.0], np.float32)).when("a batch of one number")


def ones(rows):
    """Return a batch of this many rows."""
    return np.ones((rows, 2), np.float32)


def one_example(center_batch):
    """Report that center itself does not subtract the mean of the batch."""
    xs = np.array([[1.0, 10.0], [3.0, 30.0]], np.float32)
    found = jax.vmap(center_batch.module.center, axis_name="batch")(xs)
    if np.allclose(found, [[-1.0, -10.0], [1.0, 10.0]]):
        return None
    return f"mapped with the name, center returns {np.asarray(found).tolist()} for {xs.tolist()}"


def maps_center(center_batch):
    """Report that center_batch does not use center."""
    module, calls = center_batch.module, []
    center = module.center
    if inspect.unwrap(module.center_batch) is center:  # jax.vmap(center, axis_name="batch") itself
        return None
    module.center = lambda x: calls.append(x) or center(x)
    try:
        module.center_batch(jax.numpy.ones((7, 2)))  # a shape that has not been compiled yet
    finally:
        module.center = center
    return None if calls else "center_batch does not call center"


PROPERTIES = [
    Custom("one-example", "`center` itself subtracts the mean of the batch.", one_example),
    Custom("maps-center", "`center_batch` maps `center` over the batch.", maps_center),
    Types([Call(ones(3))], says="An example keeps its shape and its dtype."),
    Gradient([Call(ones(3))], says="Its gradient is right, through the mean too."),
    SameSize([Call(ones(2)), Call(ones(20))], says="20 examples take no more equations than 2."),
]
