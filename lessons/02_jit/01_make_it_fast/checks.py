"""What make-it-fast asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces

JIT = False


def spread(x):
    """Be what the learner compiles."""
    return x - x.mean()


def subject(module):
    """Compile once, as a user would; all calls go to the one compiled function."""
    return module.compile_once(spread)


EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float32)).gives([-2.0, -1.0, 3.0]),
    Call(np.array([5.0, 5.0, 5.0], np.float32)).gives([0.0, 0.0, 0.0]),
]


def hidden(rng):
    """A table, and a row of three that is known already."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32))
    yield Call(rng.normal(size=3).astype(np.float32))


def arrays_of(*sizes):
    """Make calls with rows of these sizes, which no example has."""
    return [
        Call(np.linspace(0, index + 1, size, dtype=np.float32)) for index, size in enumerate(sizes)
    ]


PROPERTIES = [
    Traces(
        arrays_of(6, 6, 6, 6, 6),
        probes=("spread",),
        says="Five calls with arrays of one shape trace f once.",
    ),
    Traces(
        arrays_of(8, 6, 8, 6, 8),
        probes=("spread",),
        name="traces-per-shape",
        says="An array of another shape traces f once more, and then both shapes are known.",
    ),
]
