"""Values by name in a live frame, read without running code of a class."""

from __future__ import annotations

import ast
import inspect
from types import FrameType
from typing import Any

from jaxtutor.core.data.model import Frame
from jaxtutor.core.diagnosis.source import path_of
from jaxtutor.worker.positions import module_of


def values_given(frame: FrameType, place: Frame) -> dict[str, Any]:
    """Return the names and attributes that a call in a frame is given, with their values."""
    module = module_of(place.file)
    call = module.node_at(place.span) if module is not None else None
    if isinstance(call, ast.Expr):
        call = call.value
    given = [*call.args, *(k.value for k in call.keywords)] if isinstance(call, ast.Call) else []
    found = {path: value_of(frame, path) for node in given if (path := path_of(node)) is not None}
    return {path: value for path, value in found.items() if value is not MISSING}


MISSING = object()
"""Stands for a name or attribute that has no value."""


def value_of(frame: FrameType, path: str) -> Any:
    """Return the value of a name or of plain attributes in a frame; no code of a class runs."""
    first, *attributes = path.split(".")
    value = frame.f_locals.get(first, frame.f_globals.get(first, MISSING))
    for name in attributes:
        held = inspect.getattr_static(value, name, MISSING)
        value = MISSING if hasattr(type(held), "__get__") else held
    return value
