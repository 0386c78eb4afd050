"""Names the learner's values that have the shapes which a message complains about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext

MOST_NAMED = 3
_SHAPE = re.compile(r"\((?:\d+,(?: \d+,?)*(?: \d+)?)\)|\((\d+(?:, \d+)+)\)")
_TYPE = re.compile(r"\w+\[([\d,]*)\]$")
_ARRAYS = ("array", "tracer", "ndarray")


def shapes_in(message: str) -> list[str]:
    """List the shapes that a message names, each once, as `(3, 4)`."""
    return list(dict.fromkeys(found[0] for found in _SHAPE.finditer(message)))


def operand_types(frame: FrameContext, node: ast.AST | None) -> str:
    """Write the types of the two operands of an operation; empty where one is not known."""
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
    elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
        sides = [node.left, node.comparators[0]]
    facts = [frame.fact(side) for side in sides]
    known = [(s, f.detail) for s, f in zip(sides, facts, strict=True) if f and f.kind in _ARRAYS]
    if len(known) < 2:
        return ""
    return " and ".join(f"`{frame.module.text(s)}` is `{detail}`" for s, detail in known)


def values_of_shapes(context: FailureContext, shapes: list[str]) -> Iterator[str]:
    """Yield sentences about the learner's values that have one of some shapes, innermost first."""
    seen: set[str] = set()
    for frame in reversed(context.frames):
        for fact in frame.names.values():
            shape = _shape_text(fact.detail) if fact.kind in _ARRAYS else ""
            if shape in shapes and fact.name not in seen and len(seen) < MOST_NAMED:
                seen.add(fact.name)
                yield f"`{fact.name}` has the shape {shape}{_assignment_line(frame, fact.name)}"


def _shape_text(aval: str) -> str:
    """Write the shape of a type as Python does: `(3,)` for `float32[3]`."""
    said = _TYPE.search(aval)
    if said is None:
        return ""
    return shape_text(tuple(said[1].split(",")) if said[1] else ())


def shape_text(sizes: tuple[int, ...] | tuple[str, ...]) -> str:
    """Write a shape as Python does.

    >>> shape_text((3,)), shape_text((3, 1))
    ('(3,)', '(3, 1)')
    """
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"


def _assignment_line(frame: FrameContext, name: str) -> str:
    """Say in which line the only assignment of a name stands."""
    bound = frame.module.assignments(name, frame.function or frame.module.tree)
    return f" (line {bound[0].lineno})" if len(bound) == 1 else ""


def shape_of(frame: FrameContext, node: ast.expr) -> tuple[int, ...]:
    """Return the sizes of the axes of an operand; empty if they are not known."""
    fact = frame.fact(node)
    found = re.search(r"\[([\d,]+)\]", fact.detail) if fact is not None else None
    return tuple(map(int, found[1].split(","))) if found is not None else ()
