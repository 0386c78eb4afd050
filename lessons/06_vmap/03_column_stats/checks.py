"""What column-stats asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Types

EXAMPLES = [
    Call(np.array([[1.0, 10.0], [3.0, 30.0]], np.float32)).gives([[-1.0, -1.0], [1.0, 1.0]]),
    Call(np.array([[0.0], [0.0], [3.0], [3.0]], np.float32)).gives([[-1.0], [-1.0], [1.0], [1.0]]),
]


def table(rows, columns):
    """A table whose rows and columns differ."""
    return np.random.default_rng(rows).normal(size=(rows, columns)).astype(np.float32)


def hidden(rng):
    """A square table, where a wrong axis does not show in the shape, and one that is not."""
    yield Call(rng.normal(2.0, 3.0, size=(3, 3)).astype(np.float32))
    yield Call(rng.normal(2.0, 3.0, size=(4, 3)).astype(np.float32))


PROPERTIES = [
    Types([Call(table(3, 5))], says="3 rows and 5 columns stay 3 rows and 5 columns."),
    SameSize([Call(table(4, 2)), Call(table(4, 20))], says="20 columns take no more than 2."),
    Gradient([Call(table(4, 3))], says="It has a gradient."),
]
