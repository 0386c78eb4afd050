"""Matches and fixes registrations of pytrees: what flattening returns, fields of dataclasses."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve, result_place
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameters, result_of
from jaxtutor.core.diagnosis.reading.values import elements


class Flattening(InContext, frozen=True, kw_only=True):
    """A function that takes a registered class apart, and the one that puts it together."""

    home: Module
    flatten: FunctionNode
    unflatten: FunctionNode | None


def not_a_pair(context: FailureContext) -> Flattening | None:
    """A flattening returns something else than the children and the metadata."""
    pairs = [pair for module in context.modules.values() for pair in _registered(module)]
    found = [pair for pair in pairs if not _is_pair(result_of(pair[1]))]
    if len(found) != 1:
        return None
    module, flatten, unflatten = found[0]
    facts = {"function": name_of(flatten)}
    return Flattening(
        result_place(module, flatten),
        facts,
        context=context,
        home=module,
        flatten=flatten,
        unflatten=unflatten,
    )


def _is_pair(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Tuple) and len(value.elts) == 2


def _registered(module: Module) -> list[tuple[Module, FunctionNode, FunctionNode | None]]:
    """List the functions that take apart and put together the registered classes of a file."""
    found: list[tuple[Module, FunctionNode, FunctionNode | None]] = []
    for node in module.nodes:
        if isinstance(node, ast.ClassDef):
            methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
            if "tree_flatten" in methods:
                found.append((module, methods["tree_flatten"], methods.get("tree_unflatten")))
        path = module.dotted(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and (path or "").endswith("register_pytree_node"):
            given = [argument(node, 1, "flatten_func"), argument(node, 2, "unflatten_func")]
            flatten, unflatten = (
                resolve(module, part, node) if part is not None else None for part in given
            )
            if flatten is not None:
                found.append((module, flatten, unflatten))
    return found


def as_pair(found: Flattening) -> Drafts:
    """Return the parts as the children, the last as the metadata if unflattening reads it."""
    value, module = result_of(found.flatten), found.home
    given = parameters(found.unflatten)
    if value is None or found.unflatten is None or len(given) < 2:
        return
    body = found.unflatten.body
    statements = body if isinstance(body, list) else [body]
    reads_metadata = any(given[-2].arg in names_in(statement) for statement in statements)
    parts = elements(value)
    pair = ""
    if not reads_metadata:
        children = tuple_text([module.text(p) for p in parts]) if parts else module.text(value)
        pair = f"{children}, None"
    elif len(parts) > 2:
        children = tuple_text([module.text(p) for p in parts[:-1]])
        pair = f"{children}, {module.text(parts[-1])}"
    is_lambda = isinstance(found.flatten, ast.Lambda)
    if pair:
        yield Draft(module).certain().replace(value, f"({pair})" if is_lambda else pair)


# ---------------------------------------------------------------- dataclasses


class Fields(InContext, frozen=True, kw_only=True):
    """A registered dataclass whose fields `missing` are neither data nor metadata."""

    home: Module
    owner: ast.ClassDef | None
    call: ast.Call
    missing: tuple[str, ...]


def fields_incomplete(context: FailureContext) -> Fields | None:
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
    return Fields(
        module.location(call),
        facts,
        "" if said is not None else "unexpected",
        context=context,
        home=module,
        owner=owner,
        call=call,
        missing=fields if said is not None else (),
    )


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


_STATIC = frozenset({"str", "bool", "Callable", "type"})
_DATA = frozenset({"Array", "ArrayLike", "ndarray", "dict", "list", "tuple", "PyTree", "Any"})


def list_fields(found: Fields) -> Drafts:
    """Add the fields: text, flags and functions to the metadata, others to the data."""
    draft = Draft(found.home)
    kinds = {name: _annotation(found.owner, name) for name in found.missing}
    if all(kind & (_STATIC | _DATA) for kind in kinds.values()):
        draft.certain()
    for option in ("data_fields", "meta_fields"):
        names = [n for n, kind in kinds.items() if bool(kind & _STATIC) is (option[0] == "m")]
        keyword = keyword_of(found.call, option)
        if not names:
            continue
        if keyword is None or not isinstance(keyword.value, ast.List | ast.Tuple):
            return
        old = [found.home.text(e) for e in keyword.value.elts]
        texts = [*old, *(f'"{name}"' for name in names)]
        is_list = isinstance(keyword.value, ast.List)
        draft.replace(keyword.value, f"[{', '.join(texts)}]" if is_list else tuple_text(texts))
    if found.missing:
        yield draft


def _annotation(owner: ast.ClassDef | None, name: str) -> set[str]:
    """List the names in the annotation of a field."""
    for node in owner.body if owner is not None else ():
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == name:
            parts = ast.walk(node.annotation)
            return {getattr(p, "attr", getattr(p, "id", "")) for p in parts} - {""}
    return set()


RULES = (
    Rule("flatten-not-pair", raised(not_a_pair), as_pair),
    Rule("dataclass-fields-incomplete", raised(fields_incomplete), list_fields),
)
