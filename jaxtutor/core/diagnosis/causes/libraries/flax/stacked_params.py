"""Matches and fixes parameters of many copies that `apply` gets as those of one model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.libraries.flax.init_shapes import parameter_shapes
from jaxtutor.core.diagnosis.causes.libraries.flax.variables import (
    APPLY,
    INIT,
    AtApply,
    at_library_call,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import every
from jaxtutor.core.diagnosis.reading.calls import calls_of, passed_arguments

_REPLICATE = ("flax.jax_utils.replicate", "jax.device_put_replicated")
_UNREPLICATE = "flax.jax_utils.unreplicate"


class StackedParams(AtApply, frozen=True, kw_only=True):
    """A call of `apply` with arrays that have one axis more, in front, than the layer needs.

    The edit is of `node` in `home`: the call that copies, what holds the copies, or what is called.
    """

    home: Module
    node: ast.expr


def stacked_params(context: FailureContext) -> StackedParams | None:
    """The parameters have an axis of copies or models that no transformation has taken off."""
    shapes = parameter_shapes(context.message)
    if shapes is None or len(shapes.made) < 2 or shapes.made[1:] != shapes.needed:
        return None
    found = at_library_call(context, APPLY, "", {"detail": shapes.said})
    if found is None:
        return None
    makers = [(m, c) for m in context.modules.values() for c in calls_of(m, *_REPLICATE)]
    if makers:
        return _copied(found, makers)
    return _stacked_by_vmap(found) if _maps_init(context) else None


def _copied(found: AtApply, makers: list[tuple[Module, ast.Call]]) -> StackedParams | None:
    """Return what is wrong with copies for devices: that they are made, or where they are used."""
    context = found.context
    if not every(context, "pmap"):
        home, maker = makers[0]
        facts = {**found.facts, "expression": home.text(maker)}
        return _match_of_stack(found, home, maker, facts, "unmapped")
    for frame in context.frames:
        holders = {
            name for home, call in makers if home is frame.module for name in _bound(home, call)
        }
        for value in _read_paths(frame.node):
            if (path_of(value) or "").partition(".")[0] in holders:
                text = frame.module.text(value)
                facts = {**found.facts, "name": text, "argument": f"jax_utils.unreplicate({text})"}
                return _match_of_stack(found, frame.module, value, facts, "")
    return None


def _bound(home: Module, call: ast.Call) -> list[str]:
    """List the names that a file binds to what a call returns."""
    statement = home.parents.get(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _read_paths(call: ast.AST | None) -> Iterator[ast.expr]:
    """Yield the names and attributes that a call passes, also in a dict: `state.params`."""
    given = passed_arguments(call) if isinstance(call, ast.Call) else []
    for value in given:
        parts = (
            [p for p in value.values if p is not None] if isinstance(value, ast.Dict) else [value]
        )
        yield from (part for part in parts if path_of(part))


def _maps_init(context: FailureContext) -> bool:
    """Return whether the program makes the parameters of several models: `vmap(model.init)`."""
    made = [item.function or item.node for item in every(context, "vmap")]
    return any(
        isinstance(node, ast.Attribute) and node.attr in INIT
        for each in made
        for node in ast.walk(each)
    )


def _stacked_by_vmap(found: AtApply) -> StackedParams:
    """Return the call of `apply` that should be mapped over the models."""
    module, call = found.frame.module, found.call
    given = ", ".join(map(module.text, call.args))
    mapped = f"jax.vmap({module.text(call.func)}, in_axes={_mapped_axes(call)})({given})"
    return _match_of_stack(
        found, module, call.func, {**found.facts, "argument": mapped}, "ensemble"
    )


def _mapped_axes(call: ast.Call) -> str:
    """Write which arguments of a call are mapped: the parameters, and nothing else."""
    return f"({', '.join(['0', *['None'] * (len(call.args) - 1)])})"


def _match_of_stack(
    found: AtApply, home: Module, node: ast.expr, facts: dict[str, str], form: str
) -> StackedParams:
    at = found.call if form == "ensemble" else node
    return StackedParams(
        home.location(at),
        facts,
        form,
        context=found.context,
        frame=found.frame,
        call=found.call,
        home=home,
        node=node,
    )


def one_copy(found: StackedParams) -> Drafts:
    """Make no copies, take one of them, or map over the models."""
    draft, node = Draft(found.home), found.node
    statement = found.home.parents.get(node)
    match found.form, node:
        case "ensemble", ast.Attribute() if not found.call.keywords:
            yield draft.wrap(
                node, f"{draft.name('jax.vmap')}(", f", in_axes={_mapped_axes(found.call)})"
            )
        case "unmapped", ast.Call(args=[whole, *_]):
            if isinstance(statement, ast.Assign) and _bound(found.home, node) == [path_of(whole)]:
                yield draft.certain().drop(statement)
            else:
                yield draft.certain().replace(node, found.home.text(whole))
        case "", _:
            yield draft.certain().wrap(node, f"{draft.name(_UNREPLICATE)}(", ")")


RULES = (
    Rule(
        "stacked-params-not-mapped",
        raised(stacked_params),
        one_copy,
        before=("linen-shape-changed",),
    ),
)
