"""Finds steps of Grain's pipelines in an order that shuffles too little, or across epochs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import method_call_span
from jaxtutor.core.diagnosis.reading.names import bound_value

_SOURCES = ("MapDataset.source", "MapDataset.range")
MOST_STEPS = 40


class LateShuffle(CallFinding, frozen=True, kw_only=True):
    """A shuffle, and the `steps` before which it belongs, in their order."""

    steps: tuple[ast.Call, ...]


def read_pipelines(module: Module) -> Iterator[LateShuffle]:
    """Yield each `shuffle` that follows `batch` or `repeat`, where nothing was shuffled before."""
    if not any(path.partition(".")[0] == "grain" for path in module.imports.values()):
        return
    calls = [n for n in module.calls if _method(n) is not None]
    chains = [chain for call in calls if (chain := steps_of(module, call))]
    for chain in chains:
        name = _early_step(chain)
        if not name or any(_batches_after(other, chain[-1]) for other in chains):
            continue
        *steps, shuffle = chain[[_method(step) for step in chain].index(name) :]
        yield LateShuffle(
            module.location(step_span(module, shuffle)),
            {"name": name},
            "repeat" if name == "repeat" else "",
            module=module,
            node=shuffle,
            steps=tuple(steps),
        )


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


def _early_step(chain: list[ast.Call]) -> str:
    """Name the step of a pipeline that the `shuffle` at its end should precede; empty for none."""
    names = [_method(step) for step in chain]
    if names.count("shuffle") != 1 or names[-1] != "shuffle":
        return ""
    return next((name for name in ("batch", "repeat") if names.count(name) == 1), "")


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


def shuffle_first(found: LateShuffle) -> Drafts:
    """Put the shuffle before the step that came too early."""
    module = found.module
    spans = [method_call_span(module, step) for step in (*found.steps, found.node)]
    texts = [module.text(span) for span in spans]
    draft = Draft(module)
    for span, text in zip(spans, [texts[-1], *texts[:-1]], strict=True):
        draft.replace(span, text)
    yield draft


RULES = (Rule("pipeline-steps-order", read(read_pipelines), shuffle_first),)
