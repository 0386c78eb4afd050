"""Matches and fixes calls of the parameters that were split off a model."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import LeafLost
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed, raised
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes
from jaxtutor.core.diagnosis.reading.calls import called_name
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.loops import loop_around, updates_itself

_SPLITS = {"equinox.partition": "equinox", "flax.nnx.split": "nnx"}


class PartCalled(AtFrame, frozen=True, kw_only=True):
    """A call of one part of a model; `whole` makes the model again, empty if a part is unknown."""

    part: ast.Name
    whole: tuple[str, str]


def part_called(context: FailureContext) -> PartCalled | None:
    """The arrays of a model, without its functions and structure, are called like the model."""
    frame = context.frame
    part = called_name(frame.node) if frame is not None else None
    if frame is None or part is None:
        return None
    is_state = "'State'" in context.message
    library = "nnx" if is_state else "equinox"
    if not is_state and not _is_without_functions(frame, part):
        return None
    splits = [s for m in context.modules.values() for s in _splits(m, library)]
    name = frame.module.text(part)
    if not splits and not is_state and _filters(context):
        return PartCalled(
            frame.place(part),
            {"name": name},
            "filtered",
            context=context,
            part=part,
            whole=("", ""),
        )
    if not splits:
        return None
    whole = _joining_call(library, frame, part, splits[0]) if len(splits) == 1 else ("", "")
    others = whole[1] or {"nnx": f"graphdef, {name}", "equinox": f"{name}, static"}[library]
    facts = {"name": name, "argument": others}
    return PartCalled(frame.place(part), facts, library, context=context, part=part, whole=whole)


def _is_without_functions(frame: FrameContext, node: ast.Name) -> bool:
    """Return whether a name is a model of Equinox whose functions were taken out."""
    fact = frame.fact(node)
    return is_module_of("equinox", frame, node) and fact is not None and not fact.functions


def _filters(context: FailureContext) -> bool:
    """Return whether the program takes the arrays of a model without keeping the rest."""
    modules = context.modules.values()
    return any(m.dotted(call.func) == "equinox.filter" for m in modules for call in m.calls)


def _splits(module: Module, library: str) -> list[tuple[Module, ast.Assign, list[str]]]:
    """List the statements that split a model, with the names of the parts."""
    found = []
    for node in module.nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call(func=func)):
                names = [n.id for n in parts if isinstance(n, ast.Name)]
                if _SPLITS.get(module.dotted(func) or "") == library and len(names) == len(parts):
                    found.append((module, node, names))
    return found


def _joining_call(
    library: str, frame: FrameContext, part: ast.Name, split: tuple[Module, ast.Assign, list[str]]
) -> tuple[str, str]:
    """Return the function that puts the parts together, and its arguments, if all can be read."""
    module, statement, names = split
    home = module.function(statement) or module.tree
    outer = [*module.ancestors(part)] if module is frame.module else []
    if home not in outer:
        return "", ""
    if library == "equinox":
        return "equinox.combine", f"{part.id}, {names[1]}"
    return "flax.nnx.merge", ", ".join([names[0], part.id, *names[2:]])


def leaf_lost(spot: ObservedLocation[LeafLost]) -> Finding | None:
    """A variable that a round of a loop binds to a tree which lacks leaves that it had before."""
    seen, loop = spot.seen, loop_around(spot.module, spot.node) if spot.node is not None else None
    if loop is None or not isinstance(spot.node, ast.Call):
        return None
    bound = [s for s in own_nodes(loop) if _binds_again(s, seen.name)]
    if len(bound) != 1:
        return None
    facts = {
        "name": seen.name,
        "argument": seen.path,
        "function": spot.module.text(spot.node.func),
        "expression": spot.module.text(bound[0]),
    }
    form = "lost" if seen.is_function else "emptied"
    return replace(spot.found(bound[0], facts, form), is_certain=seen.is_function)


def _binds_again(node: ast.AST, name: str) -> bool:
    """Return whether a statement computes a variable from itself: `x = f(x)`."""
    return isinstance(node, ast.Assign) and name in bound_names(node) and updates_itself(node, name)


def put_together(found: PartCalled) -> Drafts:
    """Make the model again from its parts before it is called."""
    function, parts = found.whole
    if function:
        draft = Draft(found.module).certain()
        yield draft.replace(found.part, f"{draft.name(function)}({parts})")


RULES = (
    Rule("split-model-called", raised(part_called), put_together),
    Rule("split-model-called", observed((LeafLost, leaf_lost))),
)
