"""Tests which of a library's parameters took each argument of a call."""

from __future__ import annotations

import ast
import sys
from types import FrameType

from jaxtutor.core.diagnosis.engine.source import read_module
from jaxtutor.worker.failures.passed_values import passed_values


class Solver:
    """A library's object whose method passes everything on."""

    def __call__(self, *args: object, **kwargs: object) -> FrameType:
        """Return the frame of the call."""
        assert args or kwargs
        return sys._getframe()


def test_the_object_of_a_method_takes_no_argument() -> None:
    """Where only keywords are names, the first argument is not taken for `self`."""
    module = read_module("train.py", "solve(term(), euler(), y0=y0)\n")
    assert module is not None
    call = module.tree.body[0].value  # type: ignore[attr-defined]
    assert isinstance(call, ast.Call)
    start = object()
    frame = Solver()("the term", "the solver", y0=start)
    values = passed_values(call, module, {"y0": start}, [frame])
    assert {"term()": "the term", "euler()": "the solver", "y0": start} == values


def wrapped(*args: object) -> FrameType:
    """Return the frame of a wrapper, which gets the object of a method first."""
    assert args
    return sys._getframe()


def test_a_wrapper_that_got_the_object_first_passes_on_the_rest() -> None:
    """The first argument of a method's wrapper is its object, and not what the call computed."""
    module = read_module("train.py", "net(make())\n")
    assert module is not None
    call = module.tree.body[0].value  # type: ignore[attr-defined]
    assert isinstance(call, ast.Call)
    assert {"make()": "made"} == passed_values(call, module, {}, [wrapped("the net", "made")])
    assert {"make()": "made"} == passed_values(call, module, {}, [wrapped("made")])
    assert {} == passed_values(call, module, {}, [wrapped("the net", "made", "more")])
