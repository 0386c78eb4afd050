"""What bucket-shapes asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types

JIT = False


def mean(x, mask):
    """The mean of what is real."""
    return jnp.sum(jnp.where(mask, x, 0)) / jnp.sum(mask)


def padded(x, mask):
    """What f was given."""
    return x


def both(x, mask):
    """All that f was given."""
    return x, mask


def product(x, mask):
    """For padding with 1 only, or with a mask."""
    return jnp.prod(jnp.where(mask[:, None], x, 1), axis=0)


def subject(module):
    """Make a g for each f, and call it."""

    def call(f, x):
        return module.bucketed(f)(x)

    call.bucketed = module.bucketed
    return call


EXAMPLES = [
    Call(mean, np.array([1.0, 2.0, 6.0], np.float32)).gives(3.0),
    Call(padded, np.array([1, 2, 3], np.int32)).gives([1, 2, 3, 0]),
]


def hidden(rng):
    """One element, a power of two, one more than that, very many, zeros, and more axes."""
    yield Call(both, rng.normal(size=1).astype(np.float32)).when("one element")
    yield Call(both, rng.normal(size=4).astype(np.float32)).when("a power of two")
    yield Call(both, np.arange(1, 6, dtype=np.int32)).when("one element more than a power of two")
    yield Call(both, np.array([0, 7, 0], np.int32)).when("a zero among the elements")
    yield Call(both, np.arange(1, 101, dtype=np.int32)).when("a hundred elements")
    yield Call(product, rng.normal(size=(3, 2)).astype(np.float32)).when("more than one axis")
    yield Call(both, np.ones((2, 3), bool)).when("booleans, and more than one axis")


LENGTHS = (1, 3, 4, 5, 8, 9)


def traced_too_often(call):
    """Return how often f was traced for six lengths."""
    runs = []

    def probe(x, mask):
        runs.append(x.shape)
        return x[0]

    g = call.bucketed(probe)
    for n in LENGTHS:
        g(np.ones(n, np.float32))
    if len(runs) > 4:
        return f"f was traced {len(runs)} times for the lengths 1, 3, 4, 5, 8 and 9"
    return None


def goes_on(call):
    """Return what happens when the lengths come a second time."""
    runs = []

    def probe(x, mask):
        runs.append(x.shape)
        return x[0]

    g = call.bucketed(probe)
    for n in (3, 4, 3, 4):
        g(np.ones(n, np.float32))
    return None if len(runs) == 1 else f"the lengths 3, 4, 3 and 4 trace f {len(runs)} times"


def not_an_array(call):
    """Return what the mask is, if not an array of booleans."""
    seen = []

    def probe(x, mask):
        seen.append((getattr(mask, "dtype", type(mask).__name__), np.shape(mask)))
        return x

    call.bucketed(probe)(np.ones(3, np.float32))
    dtype, shape = seen[0]
    return None if (dtype, shape) == (bool, (4,)) else f"the mask was {dtype} of shape {shape}"


PROPERTIES = [
    Types(
        [Call(padded, np.arange(3, dtype=np.int32)), Call(padded, jnp.ones(3, jnp.bfloat16))],
        says="The padded array has the dtype of x.",
    ),
    Custom("mask", "For three elements f gets a mask of four booleans.", not_an_array),
    Custom("traces", "The lengths 1, 3, 4, 5, 8 and 9 trace f four times.", traced_too_often),
    Custom("again", "Lengths of one bucket share a trace.", goes_on),
]
