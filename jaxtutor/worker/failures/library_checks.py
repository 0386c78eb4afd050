"""Reads the condition under which a library raised, and the values that it read there.

`assert x.ndim == 2` and `if x.ndim != 2: raise …` say what is wrong where the message does not.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.failures import LibraryCheck
from jaxtutor.core.diagnosis.engine.phrases import in_words
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.worker import positions
from jaxtutor.worker.failures.frame_values import MISSING, reach
from jaxtutor.worker.failures.name_facts import fact_of
from jaxtutor.worker.internals.places import IsOwn

Kind = Literal["raises", "requires", "computes"]
MOST_CHARACTERS = 120
"""Characters of a condition that is shown; a longer one takes more than a line to read."""

MOST_SHOWN = 60
"""Characters of the `repr` of a value; a path or the name of a mode is shorter."""
_NOT_READ = ("jax", "jaxlib", "numpy", "jaxtutor")
"""Packages whose conditions are about their own data, or whose messages say enough."""
_PLAIN = (bool, int, float, str, bytes, type(None))


def of_frames(
    levels: Sequence[tuple[FrameType, int, int]], arguments: Mapping[str, object], is_own: IsOwn
) -> LibraryCheck | None:
    """Return the condition under which a library's frame raised, the last of some levels.

    `arguments` are the values that the learner's call passed, by their texts.
    """
    read = [level for level in levels if _package(level[0])]
    if not read:
        return None
    frame, lasti, line = read[-1]
    condition = condition_of(frame, line) if read[-1] is levels[-1] else None
    condition = condition or _expression_of(frame, lasti)
    if condition is None:
        return None
    reached = {path: reach(path, frame) for path in condition.names}
    known = {path: values for path, values in reached.items() if values[-1] is not MISSING}
    said = {path: _said(path, values, is_own) for path, values in known.items()}
    values = {path: text for path, text in said.items() if text}
    if condition.kind == "computes" and not condition.is_lookup:
        values = {
            path: text
            for path, text in values.items()
            if _is_odd(known[path][-1])
            or (path == condition.called and not callable(known[path][-1]))
        }
        if not values:
            return None
    if condition.is_lookup and not any(type(v[-1]) is dict for v in known.values()):
        return None
    return LibraryCheck(
        f"{_package(frame)}.{frame.f_code.co_qualname.replace('<locals>.', '')}",
        condition.text,
        condition.kind,
        values,
        dict(_given(reached, arguments)),
    )


def _package(frame: FrameType) -> str:
    """Name the library that a frame belongs to; empty if its code is not to be quoted."""
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    is_hidden = package in _NOT_READ or package in sys.stdlib_module_names
    return "" if is_hidden else package


def _is_odd(value: object) -> bool:
    """Return whether a value is of a kind that arithmetic and arrays do not take."""
    kinds = (str, bytes, list, dict, tuple, type(None))
    return type(value) in kinds and value not in ("", (), {}, [])


def _expression_of(frame: FrameType, lasti: int) -> Condition | None:
    """Return the expression that a library's frame was evaluating."""
    module = positions.module_of(frame.f_code.co_filename)
    span = positions.span_at(frame.f_code, lasti)
    node = module.node_at(span) if module is not None and span is not None else None
    if module is None or not isinstance(node, _READ):
        return None
    condition = _condition(module, node, "computes")
    if condition is not None and isinstance(node, ast.Subscript):
        return replace(condition, is_lookup=True)
    if condition is not None and isinstance(node, ast.Call):
        return replace(condition, called=path_of(node.func) or "")
    return condition


_READ = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Attribute, ast.Subscript)


def _given(
    reached: Mapping[str, list[object]], arguments: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """Pair the names in a condition with the learner's expressions for the same objects."""
    for path, values in reached.items():
        first = path.partition(".")[0]
        texts = [text for text, value in arguments.items() if value is values[0]]
        is_common = values[0] is None or type(values[0]) in (bool, int)  # shared by much else
        if texts and not is_common and texts[0] != first:
            yield first, texts[0]


def _said(path: str, values: list[object], is_own: IsOwn) -> str:
    """Describe a value in words that can follow "is"; empty for functions, classes and modules."""
    value = values[-1]
    if type(value) in _PLAIN or (type(value) is tuple and set(map(type, value)) <= {int}):
        shown = repr(value)
        return f"`{shown}`" if len(shown) <= MOST_SHOWN else ""
    return in_words(fact_of(path, values, is_own))


class Condition(Struct, frozen=True):
    """A condition or expression of a library's function, as its source has it.

    `is_lookup` says that it looks something up by a key or an index. `called` is what it calls.
    """

    text: str
    kind: Kind
    names: tuple[str, ...]
    is_lookup: bool = False
    called: str = ""


def condition_of(frame: FrameType, line: int) -> Condition | None:
    """Return the condition that made a function raise at a line; None if there is none."""
    module = positions.module_of(frame.f_code.co_filename)
    statement = module.statement_on(line) if module is not None else None
    if module is None or statement is None:
        return None
    if isinstance(statement, ast.Assert):
        return _condition(module, statement.test, "requires")
    if not isinstance(statement, ast.Raise):
        return None
    inner: ast.AST = statement
    for node in module.ancestors(statement):
        if isinstance(node, FunctionNode):
            return None
        if isinstance(node, ast.If):
            return _condition(module, node.test, "raises" if inner in node.body else "requires")
        inner = node
    return None


def _condition(module: Module, test: ast.AST, kind: Kind) -> Condition | None:
    text = " ".join(module.text(test).split())
    paths = dict.fromkeys(_paths(test))
    if len(text) > MOST_CHARACTERS or not paths:
        return None
    return Condition(text, kind, tuple(paths))


def _paths(node: ast.AST) -> Iterator[str]:
    """Yield the names and dotted paths that a condition reads, the longest only."""
    path = path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None
    if path is not None:
        yield path
        return
    for child in ast.iter_child_nodes(node):
        yield from _paths(child)
