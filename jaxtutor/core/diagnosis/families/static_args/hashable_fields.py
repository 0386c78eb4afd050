"""Fixes static dataclasses that hold a list: the object is made with a tuple."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.static_args.match import AtJit
from jaxtutor.core.diagnosis.reading import argument
from jaxtutor.core.diagnosis.rewriting.expressions import tuple_text
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module, path_of


def pass_tuples(found: AtJit) -> Drafts:
    """Make each object with a tuple, where all of them are made in one file."""
    owner, _, field = found.facts["name"].partition(".")
    is_list = found.facts["container"].lower().removeprefix("typing.").startswith("list")
    if not is_list and found.facts["container"] != "a list":
        return
    places = [_position(module, owner, field) for module in found.context.modules.values()]
    position = next((place for place in places if place is not None), None)
    given = [
        (module, value)
        for module in found.context.modules.values()
        for call in module.nodes
        if isinstance(call, ast.Call) and (path_of(call.func) or "").rpartition(".")[2] == owner
        if (value := argument(call, position, field)) is not None
    ]
    homes = {module.file for module, _ in given}
    if len(homes) != 1:
        return
    draft = Draft(given[0][0])
    for module, value in given:
        if not isinstance(value, ast.Tuple):
            draft.replace(value, _as_tuple(module, value))
    yield draft


def _position(module: Module, owner: str, field: str) -> int | None:
    """Return the place of a field among those that a dataclass declares."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and node.name == owner:
            names = [getattr(n.target, "id", "") for n in node.body if isinstance(n, ast.AnnAssign)]
            return names.index(field) if field in names else None
    return None


def _as_tuple(module: Module, value: ast.expr) -> str:
    if isinstance(value, ast.List) and value.elts:
        return tuple_text([module.text(part) for part in value.elts])
    return f"tuple({module.text(value)})"
