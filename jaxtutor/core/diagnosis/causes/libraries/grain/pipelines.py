"""Finds steps of Grain's pipelines in an order that shuffles too little, or across epochs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import method_call_span
from jaxtutor.core.diagnosis.reading.names import bound_value

_SOURCES = ("MapDataset.source", "MapDataset.range")
MOST_STEPS = 40


def read_pipelines(module: Module) -> Iterator[Finding]:
    """Yield each `shuffle` that follows `batch` or `repeat`, where nothing was shuffled before."""
    if not any(path.partition(".")[0] == "grain" for path in module.imports.values()):
        return
    calls = [n for n in module.calls if _method(n) is not None]
    chains = [chain for call in calls if (chain := steps_of(module, call))]
    for chain in chains:
        form = _misplaced(chain)
        if form is None or any(_batches_after(other, chain[-1]) for other in chains):
            continue
        yield finding(module, step_span(module, chain[-1]), form)


def _method(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def steps_of(module: Module, call: ast.Call) -> list[ast.Call]:
    """List the steps of a pipeline from its source to a call; empty if its source is not known."""
    steps: list[ast.Call] = []
    node: ast.expr = call
    for _ in range(MOST_STEPS):
        node = bound_value(module, node)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return []
        path = module.dotted(node.func) or ""
        if path.startswith("grain.") and path.endswith(_SOURCES):
            return steps[::-1]
        steps.append(node)
        node = node.func.value
    return []


def _misplaced(chain: list[ast.Call]) -> dict[str, str] | None:
    """Return the facts of a pipeline that ends with a `shuffle` which comes too late."""
    names = [_method(step) or "" for step in chain]
    if names.count("shuffle") != 1 or names[-1] != "shuffle":
        return None
    if names.count("batch") == 1:
        return {"name": "batch"}
    return {"name": "repeat", "form": "repeat"} if names.count("repeat") == 1 else None


def _batches_after(chain: list[ast.Call], shuffle: ast.Call) -> bool:
    """Return whether a pipeline batches what comes after a shuffle of batches: of windows."""
    if shuffle not in chain:
        return False
    place = chain.index(shuffle)
    before = [_method(step) for step in chain[:place]]
    return "batch" in before and any(_method(step) == "batch" for step in chain[place + 1 :])


def step_span(module: Module, call: ast.Call) -> Span:
    """Return the place of a step: the whole call, or its method where a line begins with it."""
    whole, func = module.span(call), module.span(call.func)
    if whole.line == func.end_line or not isinstance(call.func, ast.Attribute):
        return whole
    column = func.end_column - len(call.func.attr)
    return Span(func.end_line, column, whole.end_line, whole.end_column)


def shuffle_first(found: Finding) -> Drafts:
    """Put the shuffle before the step that came too early."""
    module, call = found.module, found.node
    chain = steps_of(module, call) if isinstance(call, ast.Call) else []
    facts = _misplaced(chain)
    if facts is None:
        return
    first = next(n for n, step in enumerate(chain) if _method(step) == facts["name"])
    spans = [method_call_span(module, step) for step in chain[first:]]
    texts = [module.text(span) for span in spans]
    draft = Draft(module)
    for span, text in zip(spans, [texts[-1], *texts[:-1]], strict=True):
        draft.replace(span, text)
    yield draft


RULES = (Rule("pipeline-steps-order", read(read_pipelines), shuffle_first),)
