"""What none-is-not-a-leaf asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Types

EXAMPLES = [
    Call({"gain": 3.0, "tone": (1.0, 2.0)}, {"gain": None, "tone": (None, 0.0)}).gives(
        {"gain": 3.0, "tone": (1.0, 0.0)}
    ),
    Call(
        {"lamp": {"red": 1.0, "blue": 2.0}, "delay": None},
        {"lamp": None, "delay": 5.0},
    ).gives({"lamp": {"red": 1.0, "blue": 2.0}, "delay": 5.0}),
]


def hidden(rng):
    """Arrays with zeros in a list, None in both, all to keep, and one leaf for a tree."""
    old, new = rng.normal(size=(2, 3)).astype(np.float32)
    new[1] = 0.0
    yield Call([old, {"x": old, "y": (None, old)}], [new, {"x": None, "y": (None, 2 * new)}])
    yield Call({"a": [old], "b": None}, None)
    yield Call(old, new)


PROPERTIES = [
    Types(
        [Call([np.ones(2, np.float32), 1.0], [np.ones(3, np.int32), None])],
        weak=False,
        says="What the patch says is taken as it is, with its shape and dtype.",
    ),
]
