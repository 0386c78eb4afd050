"""Matches arrays of two lengths where one is the last slice of a loop, which is shorter."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.shapes.shape_facts import shapes_in
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.patterns import first_match

_ARRAYS = ("array", "tracer", "ndarray")


class LastSlice(AtFrame, frozen=True, kw_only=True):
    """Slices of equal length, and one that is shorter; `module` is the file of the loop."""

    loop_module: Module
    starts: ast.Call


def last_slice(context: FailureContext) -> LastSlice | None:
    """Explain the smaller of two lengths: what is left of an array after slices of the larger."""
    shapes = [tuple(map(int, it.strip("(,)").split(", "))) for it in shapes_in(context.message)]
    sizes = sorted({shape[0] for shape in shapes if shape})
    loops = list(_slicing_loops(context)) if len(shapes) == 2 and len(sizes) == 2 else []
    if len(loops) != 1:
        return None
    (module, starts), (rest, size) = loops[0], sizes
    for name, rows in _array_lengths(context):
        if rows > size and rows % size == rest:
            facts = {
                "detail": joined(shapes_in(context.message)),
                "name": name,
                "argument": f"{rows} = {rows // size} * {size} + {rest}",
                "condition": module.text(starts),
                "container": module.text(starts.args[2]),
                "line": str(starts.lineno),
            }
            return LastSlice(
                None,
                facts,
                "last_slice",
                context=context,
                loop_module=module,
                starts=starts,
            )
    return None


def _slicing_loops(context: FailureContext) -> Iterator[tuple[Module, ast.Call]]:
    """Yield the `range(0, n, size)` of loops that slice from there: `x[start : start + size]`."""
    for module in context.modules.values():
        for loop in module.nodes:
            if not isinstance(loop, ast.For | ast.comprehension) or not isinstance(
                loop.iter, ast.Call
            ):
                continue
            is_stepped = module.text(loop.iter.func) == "range" and len(loop.iter.args) == 3
            inside = module.parents[loop] if isinstance(loop, ast.comprehension) else loop
            if is_stepped and any(_is_slice_from(module, n, loop) for n in ast.walk(inside)):
                yield module, loop.iter


def _is_slice_from(module: Module, node: ast.AST, loop: ast.For | ast.comprehension) -> bool:
    """Return whether a node is `start : start + size`, with the counter and the step of a loop."""
    if not isinstance(node, ast.Slice) or node.upper is None or node.lower is None:
        return False
    assert isinstance(loop.iter, ast.Call)
    found = first_match(module, node.upper, "$start + $size")
    wanted = (loop.target, loop.iter.args[2])
    given = (found["start"], found["size"]) if found is not None else ()
    return list(map(module.text, given)) == list(map(module.text, wanted))


def _array_lengths(context: FailureContext) -> Iterator[tuple[str, int]]:
    """Yield the learner's arrays with the lengths of their first axes, the outermost first."""
    for frame in context.frames:
        for fact in frame.names.values():
            length = fact.detail.partition("[")[2].rstrip("]").split(",")[0]
            if fact.kind in _ARRAYS and length.isdecimal():
                yield fact.name, int(length)


def leave_short_slice(found: LastSlice) -> Drafts:
    """End the loop before the slice that would be shorter."""
    module, starts = found.loop_module, found.starts.args
    draft = Draft(module)
    yield draft.replace(starts[1], f"{module.text(starts[1])} - {atom(module, starts[2])} + 1")
