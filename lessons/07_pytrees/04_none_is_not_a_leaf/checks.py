"""Checks for none-is-not-a-leaf."""

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
    """Yield arrays with zeros, None in both, patches that keep all, falsy values and NaN."""
    old, new = rng.normal(size=(2, 3)).astype(np.float32)
    new[1] = 0.0
    yield Call([old, {"x": old, "y": (None, old)}], [new, {"x": None, "y": (None, 2 * new)}])
    yield Call({"a": [old], "b": None}, None).when("a patch that is None")
    yield Call(old, new).when("a single array for a tree")
    yield Call(
        {"on": True, "level": 2, "x": (1.0, 2.0)}, {"on": False, "level": 0, "x": (np.nan, None)}
    ).when("False, 0 and NaN in the patch")
    yield Call((old, {"a": None, "b": old}), (0 * new, None)).when("an array of zeros in the patch")


PROPERTIES = [
    Types(
        [Call([np.ones(2, np.float32), 1.0], [np.ones(3, np.int32), None])],
        weak=False,
        says="A value from the patch keeps its own shape and dtype.",
    ),
]
