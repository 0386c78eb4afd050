"""Matches and fixes uses of a linen module outside `init` and `apply`: it has no variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.libraries.flax.variables import APPLY, INIT
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.library_calls import (
    in_sight,
    is_module_of,
    library_call,
    place_of_call,
)


def unbound_module(context: FailureContext) -> AtFrame | None:
    """A module is called like a function, without its parameters."""
    is_called = context.error in ("CallCompactUnboundModuleError", "CallUnbindOnUnboundModuleError")
    is_setup = "remember these fields are only accessible" in context.message
    if not is_called and not is_setup:
        return None
    applied = library_call(context, *APPLY, *INIT)
    if applied is not None:
        return _model_for_function(context, applied)
    if is_setup and (read := _read_outside(context)) is not None:
        return read
    outer = [f for f in context.frames if isinstance(f.node, ast.Call)]
    frame = outer[-1] if outer else context.frame
    if frame is None:
        return None
    place = frame.place(frame.node) if frame.node is not None else None
    name = place_of_call(frame, frame.node) if isinstance(frame.node, ast.Call) else ""
    return AtFrame(place, {"name": name}, context=context, outer_frame=frame)


class ModelForFunction(AtFrame, frozen=True, kw_only=True):
    """A module that stands where its `apply` belongs: `apply_fn=model`."""

    model: ast.expr


def _model_for_function(
    context: FailureContext, applied: tuple[FrameContext, ast.Call]
) -> ModelForFunction | None:
    """Find the keyword that gave a train state the module itself as its `apply_fn`."""
    frame, call = applied
    name = method_of(call)
    given = [
        (module, keyword.value)
        for module in context.modules.values()
        for node in module.calls
        for keyword in node.keywords
        if keyword.arg == name and isinstance(keyword.value, ast.Name)
    ]
    if name != "apply_fn" or len(given) != 1:
        return None
    module, model = given[0]
    facts = {"name": name, "argument": module.text(model), "function": frame.module.text(call.func)}
    place = module.location(model)
    return ModelForFunction(
        place, facts, "apply_fn", context=context, outer_frame=frame, model=model
    )


def _read_outside(context: FailureContext) -> AtFrame | None:
    """A layer or a value of `setup` is read from outside the module."""
    frame = context.frame
    node = frame.node if frame is not None else None
    if frame is None or not isinstance(node, ast.Attribute):
        return None
    is_outside = getattr(node.value, "id", "") != "self"
    if not is_outside or not is_module_of("linen", frame, node.value):
        return None
    facts = {"name": frame.module.text(node.value), "argument": node.attr}
    place = frame.place(_whole_path(frame.module, node))
    return AtFrame(place, facts, "attribute", context=context)


def _whole_path(module: Module, node: ast.Attribute) -> ast.expr:
    """Return the longest chain of attributes that begins with an attribute."""
    found: ast.expr = node
    while isinstance(outer := module.parents.get(found), ast.Attribute):
        found = outer
    return found


# ---------------------------------------------------------------- edits


def apply_in_place(found: AtFrame) -> Drafts:
    """Call the module's `apply` with the variables that the frame has in sight."""
    call = found.frame.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return
    module = found.module
    made = list(dict.fromkeys(_made_by_init(module)))
    for variables in made:
        draft = Draft(module).after(call.func, ".apply")
        if len(made) == 1:
            draft.certain()
        if in_sight(found.frame, variables):
            yield draft.before(call.args[0], f"{variables}, ") if call.args else None


def _apply_for_module(found: ModelForFunction) -> Drafts:
    """Pass the module's `apply` where a function is expected."""
    module = next(m for m in found.context.modules.values() if found.model in m.parents)
    yield Draft(module).certain().after(found.model, ".apply")


def _made_by_init(module: Module) -> Iterator[str]:
    """List the names that were given what `init` returns."""
    for node in module.nodes:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="init"))
            ):
                yield name


RULES = (
    Rule(
        "linen-unbound-module",
        raised(unbound_module),
        by_match(apply_in_place, _apply_for_module),
    ),
)
