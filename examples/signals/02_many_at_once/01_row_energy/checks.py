"""The checks of row-energy."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize

EXAMPLES = [
    Call(np.array([[3.0, 4.0], [0.0, 2.0]], np.float32)).gives([12.5, 2.0]),
    Call(np.array([[1.0]], np.float32)).gives([1.0]),
]


def hidden(rng):
    """Yield more rows than columns, and more columns than rows."""
    for shape in ((4, 2), (2, 5)):
        yield Call(rng.normal(size=shape).astype(np.float32))


PROPERTIES = [
    SameSize(
        [Call(np.ones((2, 3), np.float32)), Call(np.ones((20, 3), np.float32))],
        says="20 rows need no more equations than 2.",
    ),
]
