"""Matches and fixes traced counts and bounds: of classes, ranges, repeats, rounds, slices."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.tracing.demands import (
    StaticDemand,
    blame,
    is_from_data,
    static_demand,
    traced_argument,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.editing.loops import for_to_fori
from jaxtutor.core.diagnosis.editing.static_arguments import static_source
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, called_identifier
from jaxtutor.core.diagnosis.reading.names import bound_value


def num_classes(context: FailureContext) -> StaticDemand | None:
    """The number of classes is computed from the data."""
    demand = static_demand(context)
    if demand is None:
        return None
    if demand.name == "one_hot" and (count := demand.traced((1, ("num_classes",)))) is not None:
        return blame(demand, count)
    return blame(demand, demand.traced_size()) if _is_from_maximum(context) else None


def _is_from_maximum(context: FailureContext) -> bool:
    """Return whether the size was computed as the largest element of an argument."""
    steps = [
        ast.parse(s.expression, mode="eval")
        for s in context.failure.origin
        if _parses(s.expression)
    ]
    return any(called_identifier(n) in ("max", "amax") for tree in steps for n in ast.walk(tree))


def _parses(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def classes_of_scores(found: StaticDemand) -> Drafts:
    """Read the number of classes from the shape of the scores that they belong to."""
    call = found.node
    count = argument(call, 1, "num_classes", "length", "num_segments") or argument(call, 0)
    for name, fact in found.frame.names.items():
        is_scores = fact.kind == "tracer" and fact.detail.startswith(("float", "bfloat"))
        if count is not None and is_scores and "," in fact.detail and name.isidentifier():
            yield Draft(found.module).replace(count, f"{name}.shape[-1]")
    yield from static_source(found)


def arange_bound(context: FailureContext) -> StaticDemand | None:
    """A bound of arange is traced."""
    places = (*((n, ()) for n in range(3)), (None, _ARANGE_NAMES))
    found = traced_argument(context, "arange", *places)
    return replace(found, form="data") if found is not None and is_from_data(context) else found


_ARANGE_NAMES = ("start", "stop", "step")


def shifted_range(found: StaticDemand) -> Drafts:
    """Write arange(a, a + 5) as a + arange(5); else make its bound static."""
    module, call = found.module, found.node
    start, stop = argument(call, 0, "start"), argument(call, 1, "stop")
    if start is not None and stop is not None and len(call.args) == 2:
        width = width_between(found.frame, start, stop)
        text = f"{atom(module, start)} + {module.text(call.func)}({width})"
        alone = isinstance(module.parents.get(call), ast.Assign | ast.Return | ast.Call)
        if width is not None:
            yield Draft(module).replace(call, text if alone else f"({text})")
    yield from static_source(found)


def width_between(frame: FrameContext, start: ast.expr, stop: ast.expr) -> str | None:
    """Write the static distance of two bounds, where it can be seen."""
    module = frame.module
    start, stop = (_plain_value(module, bound) for bound in (start, stop))
    first, last = ast.dump(start), ast.dump(stop)
    match stop:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for same, width in ((left, right), (right, left)):
                is_start = ast.dump(same) == first or ast.dump(_plain_value(module, same)) == first
                if is_start and not frame.is_traced(width):
                    return module.text(width)
    match start:
        case ast.BinOp(left=left, op=ast.Sub(), right=width):
            is_stop = ast.dump(left) == last or ast.dump(_plain_value(module, left)) == last
            if is_stop and not frame.is_traced(width):
                return module.text(width)
    return None


def _plain_value(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to a sum or difference; a parameter or anything else stays itself."""
    value = bound_value(module, node)
    return value if isinstance(value, ast.BinOp) else node


def repeat_count(context: FailureContext) -> StaticDemand | None:
    """The count of repeat is traced."""
    return traced_argument(context, "repeat", (1, ("repeats",)))


def loop_length(context: FailureContext) -> StaticDemand | None:
    """The length of a scan is traced."""
    return traced_argument(context, "scan", (3, ("length",)))


def slice_size(context: FailureContext) -> StaticDemand | None:
    """The size of a dynamic slice is traced."""
    where = (2, ("slice_sizes", "slice_size"))
    whole = traced_argument(context, "dynamic_slice", where)
    return whole or traced_argument(context, "dynamic_slice_in_dim", where)


def range_of_tracer(context: FailureContext) -> AtCall | None:
    """Python's range was given a traced number."""
    call = at_call(context)
    if call is None:
        return None
    fact = call.frame.fact(call.node.func)
    is_range = getattr(call.node.func, "id", "") == "range"
    return call if is_range or (fact is not None and fact.detail == "range") else None


def static_count(found: AtCall) -> Drafts:
    """Make the n of a loop over range(n) static, or write the loop as a fori_loop."""
    yield from static_source(found)
    loop = found.module.parents.get(found.node)
    if isinstance(loop, ast.For):
        yield for_to_fori(found.module, loop)


RULES = (
    Rule("range-of-tracer", raised(range_of_tracer), static_count),
    Rule("traced-num-classes", raised(num_classes), classes_of_scores),
    Rule("traced-arange-bound", raised(arange_bound), shifted_range),
    Rule("traced-repeat-count", raised(repeat_count), static_source),
    Rule("traced-loop-length", raised(loop_length), static_source),
    Rule("traced-slice-size", raised(slice_size), static_source),
)
