"""Matches and fixes static objects with a field that has no hash: dataclasses, modules of linen."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from jaxtutor.core.diagnosis.causes.tracing.static_arguments import HASHED, AtJit, class_of, jit_of
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import keyword_value

_OPENED = {"Array(": "an array", "array(": "an array", "[": "a list", "{": "a dict"}
_SHOWN_FIELD = re.compile(r"\b(\w+) ?= ?(Array\(|array\(|\[|\{)")
_LINEN = "flax.linen.Module"
_EQUINOX = "equinox.Module"


class UnhashableValue(AtJit, frozen=True, kw_only=True):
    """What a call passes for a field of a static object, and that has no hash."""

    module: Module | None = None
    given: ast.expr | None = None
    annotation: ast.expr | None = None


def unhashable_field(context: FailureContext) -> AtJit | None:
    """A static object that is made once, and one of its fields holds a list, a dict or an array."""
    hashed = HASHED.search(context.message)
    made = class_of(context, hashed[1]) if hashed is not None else None
    if made is None:
        return None
    module, node = made
    declared = [n for n in node.body if isinstance(n, ast.AnnAssign)]
    if any(module.dotted(base) == _LINEN for base in node.bases):
        return _unhashable_value(context, node, declared)
    if any(module.dotted(base) == _EQUINOX for base in node.bases):
        return _unhashable_part(context, module, node, declared)
    fields = [n for n in declared if _is_mutable(module, n)]
    if not _is_frozen(module, node):
        return None
    if len(fields) != 1:
        return _unhashable_value(context, node, declared)
    name = module.text(fields[0].target)
    facts = {
        "name": f"{node.name}.{name}",
        "container": module.text(fields[0].annotation),
    }
    given = _field_value(context, node, declared, name)
    return UnhashableValue(
        module.location(fields[0]),
        facts,
        context=context,
        jit=jit_of(context),
        module=given[0] if given is not None else None,
        given=given[1] if given is not None else None,
        annotation=fields[0].annotation,
    )


def _unhashable_value(
    context: FailureContext, made: ast.ClassDef, declared: Sequence[ast.AnnAssign]
) -> AtJit | None:
    """Match the one value without a hash that an object was made with, as its repr shows."""
    names = [getattr(n.target, "id", "") for n in declared]
    shown = {m[1]: m[2] for m in _SHOWN_FIELD.finditer(context.message) if m[1] in names}
    if len(shown) != 1:
        return None
    ((name, opening),) = shown.items()
    found = _field_value(context, made, declared, name)
    module, given = found if found is not None else (None, None)
    place = module.location(given) if module is not None and given is not None else None
    facts = {"name": f"{made.name}.{name}", "container": _OPENED[opening]}
    return UnhashableValue(
        place, facts, "value", context=context, jit=jit_of(context), module=module, given=given
    )


def _unhashable_part(
    context: FailureContext, module: Module, made: ast.ClassDef, declared: Sequence[ast.AnnAssign]
) -> AtJit | None:
    """Match the one part of a model without a hash, as its repr shows, where it is assigned."""
    fields = {getattr(n.target, "id", ""): n for n in declared}
    shown = {m[1]: m[2] for m in _SHOWN_FIELD.finditer(context.message) if m[1] in fields}
    if len(shown) != 1:
        return None
    ((name, opening),) = shown.items()
    inside = [n for n in ast.walk(made) if isinstance(n, ast.Assign)]
    values = [n.value for n in inside if f"self.{name}" in map(path_of, n.targets)]
    given = values[0] if len(values) == 1 else None
    annotation = fields[name].annotation
    facts = {"name": f"{made.name}.{name}", "container": _OPENED[opening]}
    return UnhashableValue(
        module.location(given if given is not None else fields[name]),
        facts,
        "model",
        context=context,
        jit=jit_of(context),
        module=module,
        given=given,
        annotation=annotation if _LIST.match(module.text(annotation)) else None,
    )


def _field_value(
    context: FailureContext, made: ast.ClassDef, declared: Sequence[ast.AnnAssign], name: str
) -> tuple[Module, ast.expr] | None:
    """Return what the only call of a class passes for a field."""
    names = [getattr(n.target, "id", "") for n in declared]
    calls = [
        (module, given)
        for module in context.modules.values()
        for call in module.calls
        if (path_of(call.func) or "").endswith(made.name)
        if (given := _argument_for_field(call, names, name)) is not None
    ]
    return calls[0] if len(calls) == 1 else None


def _argument_for_field(call: ast.Call, names: list[str], name: str) -> ast.expr | None:
    """Return what a call passes for a field, by its name or its position among the fields."""
    position = names.index(name)
    by_position = call.args[position] if position < len(call.args) else None
    return keyword_value(call, name) or by_position


def _is_mutable(module: Module, field: ast.AnnAssign) -> bool:
    text = module.text(field.annotation)
    return bool(re.match(r"(?:typing\.)?(list|dict|set|List|Dict|Set)\b|.*(Array|ndarray)\b", text))


def _is_frozen(module: Module, node: ast.ClassDef) -> bool:
    text = " ".join(module.text(d) for d in node.decorator_list)
    return "frozen=True" in text


def tuple_for_list(found: AtJit) -> Drafts:
    """Pass a tuple with the items of the list, and declare it where the class is in the file."""
    if not isinstance(found, UnhashableValue) or not _LIST.match(found.facts["container"]):
        return
    module, given, annotation = found.module, found.given, found.annotation
    if module is None or given is None:
        return
    draft = Draft(module).certain()
    if annotation is not None and annotation in module.parents:
        item = annotation.slice if isinstance(annotation, ast.Subscript) else None
        text = f"tuple[{module.text(item)}, ...]" if item is not None else "tuple"
        draft.replace(annotation, text)
    if isinstance(given, ast.List):
        items = ", ".join(module.text(item) for item in given.elts)
        yield draft.replace(given, f"({items},)" if len(given.elts) == 1 else f"({items})")
    else:
        yield draft.wrap(given, "tuple(", ")")


_LIST = re.compile(r"a list$|(?:typing\.)?[lL]ist\b")


RULES = (Rule("unhashable-static-field", raised(unhashable_field), tuple_for_list),)
