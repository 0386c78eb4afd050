"""Matches registrations of pytrees: what flattening returns, fields of dataclasses."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve, result_place
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import result_of


def not_a_pair(context: FailureContext) -> InContext | None:
    """A flattening returns something else than the children and the metadata."""
    pairs = [pair for module in context.modules.values() for pair in _registered(module)]
    found = [pair for pair in pairs if not _is_pair(result_of(pair[1]))]
    if len(found) != 1:
        return None
    module, flatten = found[0]
    facts = {"function": name_of(flatten)}
    return InContext(result_place(module, flatten), facts, context=context)


def _is_pair(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Tuple) and len(value.elts) == 2


def _registered(module: Module) -> list[tuple[Module, FunctionNode]]:
    """List the functions that take apart the registered classes of a file."""
    found: list[tuple[Module, FunctionNode]] = []
    for node in module.nodes:
        if isinstance(node, ast.ClassDef):
            methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
            if "tree_flatten" in methods:
                found.append((module, methods["tree_flatten"]))
        path = module.dotted(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and (path or "").endswith("register_pytree_node"):
            given = argument(node, 1, "flatten_func")
            flatten = resolve(module, given, node) if given is not None else None
            if flatten is not None:
                found.append((module, flatten))
    return found


# ---------------------------------------------------------------- dataclasses


def fields_incomplete(context: FailureContext) -> InContext | None:
    """A dataclass is registered without one of its fields, or with one that it does not have."""
    frame, said = context.frame, re.search(r"Missing fields: \{(.*?)\}", context.message)
    extra = re.search(r"Unexpected fields: \{(.*?)\}", context.message)
    call = _registering(context)
    if frame is None or call is None:
        return None
    module = frame.module
    named = said or extra
    fields = tuple(sorted(re.findall(r"'(\w+)'", named[1]))) if named is not None else ()
    owner = _decorated(module, call)
    facts = {"name": owner.name if owner is not None else "", "argument": listed(fields)}
    form = "" if said is not None else "unexpected"
    return InContext(module.location(call), facts, form, context=context)


def _registering(context: FailureContext) -> ast.Call | None:
    """Find the call, or the partial of a decorator, that lists the fields."""
    frame = context.frame
    if frame is None or frame.node is None:
        return None
    near = [frame.node, *ast.walk(frame.statement or frame.node)]
    calls = [n for n in near if isinstance(n, ast.Call) and _lists_fields(n)]
    return calls[0] if calls else None


def _lists_fields(call: ast.Call) -> bool:
    return any(k.arg in ("data_fields", "meta_fields") for k in call.keywords)


def _decorated(module: Module, call: ast.Call) -> ast.ClassDef | None:
    """Find the class that is registered: the decorated one, or the one that is passed."""
    parent = module.parents.get(call)
    if isinstance(parent, ast.ClassDef):
        return parent
    name = getattr(call.args[0], "id", "") if call.args else ""
    classes = (n for n in module.nodes if isinstance(n, ast.ClassDef) and n.name == name)
    return next(classes, None)


RULES = (
    Rule("flatten-not-pair", raised(not_a_pair)),
    Rule("dataclass-fields-incomplete", raised(fields_incomplete)),
)
