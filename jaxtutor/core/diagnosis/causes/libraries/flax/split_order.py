"""Matches and fixes the parts of `nnx.split` that are taken, or merged, in another order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.words import GRAPHS, says

_GRAPH = ("GraphDef", "Graph")


class SwappedParts(InContext, frozen=True, kw_only=True):
    """Two names that `nnx.split` assigns, or two arguments of `nnx.merge`, in the wrong order."""

    module: Module
    first: ast.expr
    second: ast.expr


def swapped_parts(context: FailureContext) -> SwappedParts | None:
    """The graph of a split is taken for its state: the graph comes first."""
    state = _state_for_graph(context)
    if state is None:
        return None
    for module, target, text in _unpackings(context):
        first, second = target.elts
        if path_of(second) == state and not _names_graph(first):
            return _swapped_parts(context, module, (first, second), text)
    return _merged(context, state)


def _names_graph(node: ast.expr) -> bool:
    """Return whether a name says that it is for the graph: then its assignment is right."""
    return says(last_name(node), GRAPHS)


def _state_for_graph(context: FailureContext) -> str | None:
    """Return the expression for the state that stands where the graph belongs."""
    frame, call = context.frame, context.call
    if frame is None or call is None:
        return None
    given = passed_arguments(call)
    is_merge = last_part(frame.callee(call)) == "merge"
    for node in given[:1] if is_merge else given:
        fact = frame.fact(node)
        if fact is not None and fact.detail.endswith("statelib.State"):
            return path_of(node)
    return None


def _unpackings(context: FailureContext) -> Iterator[tuple[Module, ast.Tuple, str]]:
    """Yield the pairs of names that take what `nnx.split` returns, with the text of the call."""
    for module in context.modules.values():
        for node in module.nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            made = node.value if isinstance(node, ast.Assign) else None
            if not isinstance(target, ast.Tuple) or not isinstance(made, ast.Call):
                continue
            if module.dotted(made.func) == "flax.nnx.split" and len(target.elts) == 2:
                yield module, target, module.text(made)


def _merged(context: FailureContext, state: str) -> SwappedParts | None:
    """Match `nnx.merge(state, graphdef)`, of names that were assigned in the right order."""
    frame, call = context.frame, context.call
    if frame is None or call is None or len(call.args) != 2 or call.keywords:
        return None
    if frame.callee(call) not in (
        "flax.nnx.merge",
        "flax.nnx.graph.merge",
        "flax.nnx.graphlib.merge",
    ):
        return None
    fact = frame.fact(call.args[1])
    if path_of(call.args[0]) != state or fact is None:
        return None
    if not last_part(fact.detail).startswith(_GRAPH):
        return None
    first, second = call.args
    return _swapped_parts(
        context, frame.module, (first, second), frame.module.text(call.func), "merge"
    )


def _swapped_parts(
    context: FailureContext,
    module: Module,
    pair: tuple[ast.expr, ast.expr],
    made: str,
    form: str = "",
) -> SwappedParts:
    first, second = pair
    texts = module.text(first), module.text(second)
    facts = {
        "name": texts[form != "merge"],
        "function": made,
        "argument": f"{texts[1]}, {texts[0]}",
    }
    outer = module.parents[first]
    place = module.location(module.parents[outer] if isinstance(outer, ast.Tuple) else outer)
    return SwappedParts(
        place, facts, form, context=context, module=module, first=first, second=second
    )


def right_order(found: SwappedParts) -> Drafts:
    """Write the two names in the other order."""
    module = found.module
    draft = Draft(module).certain()
    draft.replace(found.first, module.text(found.second))
    yield draft.replace(found.second, module.text(found.first))


RULES = (Rule("nnx-split-order", raised(swapped_parts), right_order),)
