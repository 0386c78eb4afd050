"""Matches and fixes constructors that fail when JAX puts an object together again."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import (
    parameter_names,
    result_of,
    returned,
    returns_of,
)
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import elements_or_itself, is_none

_CONSTRUCTORS = ("__init__", "__post_init__")
_REGISTERING = (
    "jax.tree_util.register_pytree_node",
    "jax.tree_util.register_pytree_with_keys",
)


class Rebuilt(AtFrame, frozen=True, kw_only=True):
    """A constructor that JAX runs with something else than arrays.

    `unflatten` is the method of the class that calls it, in the file `home`; None for a dataclass.
    """

    home: Module
    owner: ast.ClassDef
    unflatten: FunctionNode | None


def rebuilt(context: FailureContext) -> Rebuilt | None:
    """A constructor converts or checks its arguments, and JAX calls it with placeholders."""
    for position, frame in enumerate(context.frames):
        function = frame.function
        owner = frame.module.parents.get(function) if function is not None else None
        if getattr(function, "name", "") not in _CONSTRUCTORS or position == 0:
            continue
        if not isinstance(owner, ast.ClassDef):
            continue
        caller = context.frames[position - 1]
        unflatten = caller.function if _unflattens(caller) else None
        if unflatten is None and not (_is_dataclass(owner) and _is_library(caller, owner)):
            continue
        return _match(context, context.frames[-1], caller, owner, unflatten)
    return None


def _match(
    context: FailureContext,
    frame: FrameContext,
    caller: FrameContext,
    owner: ast.ClassDef,
    unflatten: FunctionNode | None,
) -> Rebuilt:
    home = caller.module if unflatten is not None else frame.module
    facts = {"name": owner.name, "function": name_of(frame.function)}
    ends = returns_of(unflatten) if unflatten is not None else []
    place = home.location(ends[0]) if len(ends) == 1 else None
    return Rebuilt(
        place,
        facts,
        "" if unflatten is not None else "dataclass",
        context=context,
        home=home,
        owner=owner,
        unflatten=unflatten,
    )


def _unflattens(frame: FrameContext) -> bool:
    """Return whether JAX calls a frame's function to put an object together."""
    name, module = name_of(frame.function), frame.module
    registered = (
        argument(call, 2, "unflatten_func")
        for call in module.calls
        if (module.dotted(call.func) or "") in _REGISTERING
    )
    return name == "tree_unflatten" or any(path_of(given) == name for given in registered)


def _is_dataclass(owner: ast.ClassDef) -> bool:
    """Return whether a class is a dataclass that JAX knows as a pytree."""
    nodes = [n for d in owner.decorator_list for n in ast.walk(d)]
    names = {last_name(n) for n in nodes}
    return bool(names & {"register_dataclass", "pytree_dataclass"})


def _is_library(caller: FrameContext, owner: ast.ClassDef) -> bool:
    """Return whether a frame calls something else than the class itself."""
    call = caller.node
    func = path_of(call.func) if isinstance(call, ast.Call) else None
    last = last_part(func)
    return isinstance(call, ast.Call) and last not in (owner.name, "cls", "replace")


def without_constructor(found: Rebuilt) -> Drafts:
    """Set the attributes directly, where flattening lists all that the constructor sets."""
    unflatten, module = found.unflatten, found.home
    methods = {m.name: m for m in found.owner.body if isinstance(m, ast.FunctionDef)}
    flatten, init = methods.get("tree_flatten"), methods.get("__init__")
    if unflatten is None or flatten is None or init is None:
        return
    names = parameter_names(unflatten)
    pair = result_of(flatten)
    ends = returns_of(unflatten)
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2 or len(names) != 3:
        return
    children, rest = (_attributes(part) for part in pair.elts)
    are_all = children is not None and rest is not None and _set_by(init) == {*children, *rest}
    if not are_all or not children or len(ends) != 1 or len(returned(unflatten)) != 1:
        return
    aux, indent = names[1], indent_of(module, ends[0])
    lines = ["new = object.__new__(cls)", f"{_attribute_targets(children)} = {names[2]}"]
    if rest:
        is_tuple = isinstance(pair.elts[1], ast.Tuple)
        lines.append(f"{_attribute_targets(rest) if is_tuple else f'new.{rest[0]}'} = {aux}")
    lines.append("return new")
    yield Draft(module).certain().replace(ends[0], f"\n{indent}".join(lines))


def _attribute_targets(names: list[str]) -> str:
    """Write attributes that take a sequence apart; one of them needs a comma."""
    return ", ".join(f"new.{name}" for name in names) + ("," if len(names) == 1 else "")


def _attributes(node: ast.expr) -> list[str] | None:
    """List the attributes of `self` in a tuple, or the only one; None for anything else."""
    if is_none(node):
        return []
    parts = elements_or_itself(node)
    paths = [path_of(part) or "" for part in parts]
    if not all(path.startswith("self.") and path.count(".") == 1 for path in paths):
        return None
    return [path.removeprefix("self.") for path in paths]


def _set_by(init: ast.FunctionDef) -> set[str]:
    """List the attributes of `self` that a constructor sets."""
    stored = [n for n in ast.walk(init) if isinstance(n, ast.Attribute)]
    return {n.attr for n in stored if isinstance(n.ctx, ast.Store) and path_of(n.value) == "self"}


RULES = (
    Rule("constructor-runs-on-unflatten", raised(rebuilt, of_any_class=True), without_constructor),
)
