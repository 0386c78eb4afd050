"""Matches and fixes a tuple of several results that is used as one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.shapes.holders import first_holder
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import last_part


class WholeResult(AtFrame, frozen=True, kw_only=True):
    """A name that holds several results; `names` are what the function calls them."""

    target: ast.Name
    names: tuple[str, ...]


def whole_result(context: FailureContext) -> WholeResult | None:
    """A name was given all results of a function, and is used as the one that it is named after."""
    inner = context.frame
    if inner is None or inner.node is None:
        return None
    for part in ast.walk(inner.node):
        if not isinstance(part, ast.Name) or inner.kind(part) != "tuple":
            continue
        frame, node = first_holder(context, inner, part)
        bound = frame.module.assignments(node.id, frame.function or frame.module.tree)
        made = bound[0] if len(bound) == 1 else None
        if not isinstance(made, ast.Assign) or not isinstance(made.value, ast.Call):
            continue
        found = _result_lists(context, frame, node.id)
        if len(found) == 1 and isinstance(made.targets[0], ast.Name):
            names = found.pop()
            taken = ", ".join(_names_kept(names, node.id))
            facts = {
                "name": node.id,
                "detail": ", ".join(names),
                "argument": f"{taken} = {frame.module.text(made.value)}",
            }
            return WholeResult(
                frame.place(made),
                facts,
                context=context,
                outer_frame=frame,
                target=made.targets[0],
                names=names,
            )
    return None


def _result_lists(context: FailureContext, frame: FrameContext, name: str) -> set[tuple[str, ...]]:
    """List the results of functions in which one is named like what was assigned."""
    fact = frame.fact(name)
    count = int(fact.detail) if fact is not None and fact.detail.isdigit() else 0
    return {names for names in _all_results(context) if len(names) == count and name in names}


def _all_results(context: FailureContext) -> Iterator[tuple[str, ...]]:
    """Yield the names in each tuple that a function of the learner's returns."""
    for module in context.modules.values():
        for function in module.functions:
            for result in returned(function):
                if isinstance(result, ast.Tuple):
                    yield tuple(_result_name(module.text(part), part) for part in result.elts)


def _result_name(text: str, part: ast.expr) -> str:
    """Name a part of a result: `value` for `value.squeeze(-1)`."""
    while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        part = part.func.value
    return last_part(path_of(part) or text)


def _names_kept(names: tuple[str, ...], name: str) -> list[str]:
    return [n if n == name else "_" for n in names]


def take_apart(found: WholeResult) -> Drafts:
    """Take the result that is used, and leave the others."""
    taken = ", ".join(_names_kept(found.names, found.target.id))
    yield Draft(found.module).certain().replace(found.target, taken)
