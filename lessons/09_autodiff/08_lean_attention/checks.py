"""What lean_attention asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces

EXAMPLES = [
    Call(np.array([1.0, 2.0], np.float32)).gives([2.0, 4.0]),
    Call(np.array([0.0, -3.0], np.float32)).gives([0.0, -6.0]),
]


def hidden(rng):
    """Calls that the learner does not see; few shapes, for each costs a compile."""
    for _ in range(3):
        yield Call(rng.normal(size=5).astype(np.float32))


PROPERTIES = [
    Traces([Call(np.ones(2, np.float32)), Call(np.zeros(2, np.float32))]),
]
