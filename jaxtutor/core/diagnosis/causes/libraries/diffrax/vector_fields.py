"""Matches and fixes vector fields that return another structure than the state has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import bound_value

Listed = ast.List | ast.Tuple


class ListedField(AtFrame, frozen=True, kw_only=True):
    """A vector field in the file `home` that returns lists or tuples, and the state is another."""

    home: Module
    results: tuple[Listed, ...]


def other_structure(context: FailureContext) -> AtFrame | None:
    """A vector field returns another structure than the state has."""
    found = at_frame(context)
    if found is None or found.call is None:
        return found
    state = argument(found.call, 5, "y0")
    made = bound_value(found.module, state) if state is not None else None
    is_listed = isinstance(made, Listed)
    if not is_listed and not _is_array_state(found, found.call):
        return found
    fields = [field for m in context.modules.values() for field in _ode_terms(m)]
    listed = [(m, f, lists) for m, f in fields if (lists := _lists(f))]
    if len(fields) != 1 or not listed:
        return found
    home, field, results = listed[0]
    if is_listed and not all(_is_other(made, r) for r in results):
        return found
    facts = {"function": name_of(field) or "the lambda", "name": home.text(results[0])}
    if is_listed:
        facts |= {"argument": _container_word(results[0]), "container": _container_word(made)}
    return ListedField(
        home.location(results[0]),
        facts,
        "brackets" if is_listed else "list",
        context=context,
        home=home,
        results=results,
    )


def _container_word(node: ast.AST | None) -> str:
    return "list" if isinstance(node, ast.List) else "tuple"


def _is_other(state: ast.AST | None, result: Listed) -> bool:
    """Return whether a result has the parts of the state, in another kind of brackets."""
    same_length = isinstance(state, Listed) and len(state.elts) == len(result.elts)
    return same_length and type(state) is not type(result)


def _is_array_state(found: AtFrame, call: ast.Call) -> bool:
    state = argument(call, 5, "y0")
    made = found.frame.callee(state) or ""
    return made.startswith("jax.numpy.") or found.frame.kind(state) in ("array", "tracer")


def _ode_terms(module: Module) -> Iterator[tuple[Module, FunctionNode]]:
    """Yield the vector fields that a file passes to `diffrax.ODETerm`."""
    for node in module.calls:
        if module.dotted(node.func) != "diffrax.ODETerm":
            continue
        field = resolve(module, node.args[0], node) if node.args else None
        if field is not None:
            yield module, field


def _lists(field: FunctionNode) -> tuple[Listed, ...]:
    """Return the results of a function, if each of them is a list or a tuple of several values."""
    results = returned(field)
    lists = tuple(r for r in results if isinstance(r, Listed) and len(r.elts) > 1)
    return lists if len(lists) == len(results) else ()


def one_array(found: ListedField) -> Drafts:
    """Return one array from the vector field, or a list or tuple as the state is."""
    if found.form == "brackets":
        draft = Draft(found.home).certain()
        for value in found.results:
            parts = ", ".join(map(found.home.text, value.elts))
            draft.replace(value, f"[{parts}]" if isinstance(value, ast.Tuple) else f"({parts})")
        yield draft
        return
    for join in ("stack", "concatenate"):
        draft = Draft(found.home).certain()
        name = draft.name(f"jax.numpy.{join}")
        for value in found.results:
            parts = ", ".join(map(found.home.text, value.elts))
            draft.replace(value, f"{name}([{parts}])")
        yield draft


RULES = (Rule("diffrax-state-structure", raised(other_structure), by_match(one_array)),)
