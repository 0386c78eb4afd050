"""Matches the causes in calls of Optax, and in names and fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.source import Location, Module, names_in, path_of
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import given_values, in_sight, place_of_call

# ---------------------------------------------------------------- optax


class UpdateCall(AtCall, frozen=True, kw_only=True):
    """A call of an optimizer's `update`; `state` is the position of its state, if it is passed.

    If it is not, `name` is what the file calls the state of this optimizer.
    """

    state: int | None
    name: str = ""


def swapped_arguments(context: FailureContext) -> UpdateCall | None:
    """The state of the optimizer is not the second argument of update."""
    call = at_call(context)
    if call is None or not _is_optimizer_update(context, call.node):
        return None
    states = [
        n for n, a in enumerate(call.node.args) if _is_optimizer_state(context, call.frame, a)
    ]
    has_state = any(k.arg == "state" for k in call.node.keywords)
    if has_state or 1 in states or len(call.node.args) < 2:
        return None
    if not states and "called init first" not in context.message:
        return None
    second = call.node.args[1]
    facts = {"name": place_of_call(call.frame, call.node), "argument": call.module.text(second)}
    return UpdateCall(
        None,
        facts,
        context=context,
        node=call.node,
        state=states[0] if states else None,
        name="" if states else _state_name(call),
    )


def _state_name(call: AtCall) -> str:
    """Return the one name in sight that holds what `init` of the same optimizer returned."""
    assert isinstance(call.node.func, ast.Attribute)
    optimizer = path_of(call.node.func.value)
    names = set()
    for node in call.module.nodes:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=whose, attr="init")),
            ) if path_of(whose) == optimizer and in_sight(call.frame, name):
                names.add(name)
    return next(iter(names)) if len(names) == 1 else ""


def _is_optimizer_update(context: FailureContext, call: ast.Call) -> bool:
    if method_of(call) != "update" or context.frame is None:
        return False
    receiver = context.frame.fact(getattr(call.func, "value", None))
    bases = receiver.bases if receiver is not None else ()
    return context.library == "optax" or any(base.startswith("optax.") for base in bases)


def _is_optimizer_state(context: FailureContext, frame: FrameContext, node: ast.expr) -> bool:
    """Return whether a value is an optimizer's state: a class of Optax, or a result of `init`."""
    fact = frame.fact(node)
    if fact is not None and any(b.startswith("optax.") for b in fact.bases):
        return True
    if fact is not None and fact.kind in ("dict", "array", "tracer"):
        return False  # what the name was when it failed; elsewhere it may be given a state
    values = given_values(context, frame, node)
    return any(isinstance(v, ast.Call) and method_of(v) == "init" for v in values)


class ParamsMissing(AtCall, frozen=True, kw_only=True):
    """A call of update without the parameters; `params` is what the optimizer was made for."""

    params: str


def params_missing(context: FailureContext) -> ParamsMissing | None:
    """The optimizer needs the parameters, and update is not given them."""
    call = at_call(context)
    if call is None or method_of(call.node) != "update":
        return None
    params = _changed(call) or _initialised(call)
    facts = {"name": place_of_call(call.frame, call.node), "argument": params}
    return ParamsMissing(None, facts, context=context, node=call.node, params=params)


def _changed(call: AtCall) -> str:
    """Name what `optax.apply_updates` changes in the function of a call: the parameters."""
    changed = {
        path_of(node.args[0]) or ""
        for node in calls_in(call.frame.function or call.module.tree)
        if (call.module.dotted(node.func) or "").endswith(".apply_updates") and len(node.args) == 2
    }
    return changed.pop() if len(changed) == 1 else ""


def _initialised(call: AtCall) -> str:
    """Name what the file's only `init` of an optimizer was given, if the frame has that name."""
    inits = [
        node.args[0].id
        for node in call.module.calls
        if method_of(node) == "init" and len(node.args) == 1 and isinstance(node.args[0], ast.Name)
    ]
    names = {name for name in inits if in_sight(call.frame, name)}
    return next(iter(names)) if len(names) == 1 else ""


# ---------------------------------------------------------------- names of sites, fields


def name_twice(context: FailureContext) -> AtFrame | None:
    """A site of NumPyro, or a layer of linen, has a name that is already taken."""
    said = re.search(r"`(\w+)` duplicated", context.message)
    created = re.search(r"Could not create \w+ \"(\w+)\"", context.message)
    form = "linen" if context.library == "flax" else ""
    name = created[1] if created is not None else said[1] if said is not None else ""
    found = at_named(context, name, form)
    place = _prefix_place(context) if form == "" and found is not None else None
    return replace(found, place=place, form="prefix") if found is not None and place else found


def _prefix_place(context: FailureContext) -> Location | None:
    """Return the call of the learner's function that builds the name of a site from an argument."""
    frame, call = context.frame, context.call
    named = call.args[0] if call is not None and call.args else None
    if frame is None or frame.function is None or not isinstance(named, ast.JoinedStr):
        return None
    caller = context.frames[-2] if len(context.frames) > 1 else None
    given = caller.node if caller is not None else None
    parts = names_in(named) & set(parameter_names(frame.function))
    if caller is None or not isinstance(given, ast.Call):
        return None
    passed = [argument_for(frame.function, given, part) for part in parts]
    return caller.place(given) if any(isinstance(p, ast.Constant) for p in passed) else None


def at_named(context: FailureContext, name: str, form: str) -> AtFrame | None:
    """Return a match at the innermost frame, with a name among its facts."""
    if context.frame is None:
        return None
    return AtFrame(None, {"name": name}, form, context=context)


class UnsetField(AtFrame, frozen=True, kw_only=True):
    """A field that `__init__` does not set; `local` is a plain variable of its name there."""

    module_of: Module | None = None
    local: ast.Name | None = None


def unset_field(context: FailureContext) -> UnsetField | None:
    """A class declares a field, and its `__init__` sets no attribute of that name."""
    said = re.search(r"(?:Field|fields).*?'(\w+)'", context.message)
    frame = context.frame
    if said is None or frame is None:
        return None
    facts = {"argument": said[1]}
    for module, owner in _declaring(context, said[1]):
        init = next((n for n in owner.body if getattr(n, "name", "") == "__init__"), None)
        stored = [
            n
            for n in (ast.walk(init) if init is not None else ())
            if isinstance(n, ast.Name) and n.id == said[1] and isinstance(n.ctx, ast.Store)
        ]
        shown = module.statement(stored[0]) if stored else init
        if shown is not None:
            place = module.location(shown if stored else module.header(shown))
            local = stored[0] if len(stored) == 1 else None
            return UnsetField(place, facts, context=context, module_of=module, local=local)
    return UnsetField(None, facts, context=context)


def _declaring(context: FailureContext, field: str) -> Iterator[tuple[Module, ast.ClassDef]]:
    """List the classes that annotate a field."""
    for module in context.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and any(
                isinstance(n, ast.AnnAssign) and getattr(n.target, "id", "") == field
                for n in node.body
            ):
                yield module, node
