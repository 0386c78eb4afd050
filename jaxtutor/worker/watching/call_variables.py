"""Reads the variables that a call of the learner's is given, without running code of theirs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.worker import positions
from jaxtutor.worker.watching.captured_reads import stored_attribute


def variables_given(frame: FrameType, place: Frame) -> Iterator[tuple[str, Any]]:
    """Yield the variables and attributes among the arguments of a call, with their values.

    `frame` executes the call, at `place`: `a`, `self.b` of `f(a, 2, key=self.b)`.
    """
    module = positions.module_of(place.file)
    call = module.node_at(place.span) if module is not None else None
    call = call.value if isinstance(call, ast.Expr | ast.Await) else call
    if not isinstance(call, ast.Call):
        return
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        path = path_of(argument)
        if path is not None:
            name, *attributes = path.split(".")
            value = frame.f_locals.get(name, frame.f_globals.get(name))
            for attribute in attributes:
                value = stored_attribute(value, attribute)
            yield path, value
