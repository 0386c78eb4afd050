"""Matches and fixes a generator, a `map` or a `zip` where an array is needed."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts, span_end
from jaxtutor.core.diagnosis.editing.mapping import as_vmap
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import Match
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_BUILT_IN = ("map", "filter", "zip", "enumerate", "reversed")
_OTHERS = ("generator", "accumulate", "starmap", "chain", "islice", "product", "pairwise", "cycle")
_KINDS = "|".join((*_BUILT_IN, *_OTHERS))
_NAMED = re.compile(rf"'(?:itertools\.)?({_KINDS})(?: object)?'|<(?:itertools\.)?({_KINDS}) object")
_RETURNED = re.compile(r"function (\S+) at .*traced for \w+ returned a value of type")
_FORMS = {"filter": "filtered", "accumulate": "accumulated", "zip": "paired"}


class IteratorAsArray(Match, frozen=True, kw_only=True):
    """An iterator in place of an array, and the expression that made it."""

    module: Module
    made: ast.expr


def iterator(context: FailureContext) -> IteratorAsArray | None:
    """A generator, or what `map` and `zip` return, is used or returned as an array."""
    said = _NAMED.search(context.message)
    kind = (said[1] or said[2]) if said is not None else ""
    for module, node in _expressions(context):
        made = bound_value(module, node)
        if not _is_iterator(made) or kind not in ("", _kind_of(made)):
            continue
        replacement = as_vmap(module, made)
        form = "mapped" if replacement else _FORMS.get(_kind_of(made), "")
        facts = {"argument": module.text(made), "name": _kind_of(made), "detail": replacement}
        return IteratorAsArray(module.location(made), facts, form, module=module, made=made)
    return None


def _expressions(context: FailureContext) -> list[tuple[Module, ast.expr]]:
    """List the expressions that may be the iterator, the innermost first."""
    returning = _RETURNED.search(context.message)
    if returning is not None:
        name = last_part(returning[1])
        functions = [(m, f) for m in context.modules.values() for f in _functions(m, name)]
        found = [(m, made) for m, f in functions for made in _result_candidates(f)]
        return found if len(functions) == 1 else []
    frame = context.frame
    if frame is None or frame.node is None:
        return []
    node = frame.node
    if isinstance(node, ast.Call):
        parts = [node.func, *node.args, *(k.value for k in node.keywords)]
    else:
        parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
    inner = [n.value for n in parts if isinstance(n, ast.Attribute)]
    return [(frame.module, part) for part in (*parts, *inner)]


def _functions(module: Module, name: str) -> list[FunctionNode]:
    return [f for f in module.functions if getattr(f, "name", "<lambda>") == name]


def _result_candidates(function: FunctionNode) -> list[ast.expr]:
    """List the result of a function, then the iterators that are made in it."""
    result = result_of(function)
    inside = [n for n in own_nodes(function) if isinstance(n, ast.expr)]
    return [*([result] if result is not None else []), *(n for n in inside if _is_iterator(n))]


def _is_iterator(node: ast.expr) -> bool:
    return _kind_of(node) != ""


def _kind_of(node: ast.expr) -> str:
    """Name the class of iterator that an expression makes; empty for other expressions."""
    if isinstance(node, ast.GeneratorExp):
        return "generator"
    func = node.func if isinstance(node, ast.Call) else None
    name = getattr(func, "id", "") or getattr(func, "attr", "")
    is_plain = isinstance(func, ast.Name) or getattr(getattr(func, "value", None), "id", "") == (
        "itertools"
    )
    return name if is_plain and name in (*_BUILT_IN, *_OTHERS) else ""


_MAKING = ("stack", "array", "asarray")


def map_function(found: IteratorAsArray) -> Drafts:
    """Write `jax.vmap` in place of the iterator, and of the call that stacks its elements."""
    module, draft = found.module, Draft(found.module)
    text = as_vmap(module, found.made, draft.name("jax.vmap"))
    if not text:
        return
    call = module.parents.get(found.made)
    is_stacked = isinstance(call, ast.Call) and [found.made] == call.args and not call.keywords
    path = module.dotted(call.func) if isinstance(call, ast.Call) and is_stacked else None
    if call is not None and last_part(path) in _MAKING:
        yield draft.replace(call, text)
    elif call is not None and span_end(module.span(call)) == span_end(module.span(found.made)):
        yield draft.replace(found.made, f"({text})")  # the parentheses of the call are its own
    else:
        yield draft.replace(found.made, text)


RULES = (Rule("iterator-as-array", raised(iterator), map_function),)
