"""Matches and fixes calls whose arguments stand in another order than the function takes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations

from msgspec import Struct

from jaxtutor.core.diagnosis.causes.python.argument_kinds import kind_of, written_kind
from jaxtutor.core.diagnosis.causes.python.argument_signatures import (
    DEFERRED,
    LOOPS,
    SIGNATURES,
    TypedParameter,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.names import last_name


class OtherOrder(InContext, frozen=True, kw_only=True):
    """A call, and what to write between its parentheses instead."""

    module: Module
    node: ast.Call
    arguments: str


class _Argument(Struct, frozen=True):
    """One argument of a call: its text and its kind."""

    text: str
    kind: str


def other_order(context: FailureContext) -> OtherOrder | None:
    """A function of a library gets its arguments in an order that only fits another."""
    return _of_call(context, SIGNATURES) or _deferred(context)


def loop_order(context: FailureContext) -> OtherOrder | None:
    """A loop or a branching gets its functions and values in an order that does not fit."""
    return _of_call(context, LOOPS)


def _of_call(
    context: FailureContext, signatures: Mapping[str, Sequence[TypedParameter]]
) -> OtherOrder | None:
    """Read the call at fault, if it is one of some functions."""
    call = at_call(context)
    taken = signatures.get(call.path, ()) if call is not None else ()
    if call is None or not taken:
        return None
    given = [(a, kind_of(context, call.frame, a)) for a in call.node.args]
    is_random = call.path.startswith("jax.random.")
    if is_random and given and given[0][1] not in ("key", ""):
        return None  # something else stands in the place of the key
    kinds = [kind for _, kind in given]
    has_shape = bool({"sizes", "tuple"} & {*kinds})
    if is_random and kinds[1:3] == ["int", "int"] and not has_shape:
        return None  # the sizes of a shape, one by one
    return _reordered(context, call.module, call.node, taken, given)


def _deferred(context: FailureContext) -> OtherOrder | None:
    """Find a call that raised nothing itself, and whose result or file fails later."""
    for module in context.modules.values():
        for node in module.nodes:
            path = (module.dotted(node.func) or "") if isinstance(node, ast.Call) else ""
            said = DEFERRED.get(path)
            if isinstance(node, ast.Call) and said and said in context.message:
                given = [(a, _guessed(module, a)) for a in node.args]
                found = _reordered(context, module, node, SIGNATURES[path], given)
                if found is not None:
                    return found
    return None


def _guessed(module: Module, node: ast.expr) -> str:
    """Return the kind of an argument of a call that is not being evaluated any more."""
    written = written_kind(module, node)
    if written or path_of(node) is None:
        return written or ("path" if _is_path(node) else "")
    name = last_name(node)
    return "function" if module.function_named(name) is not None else ""


def _is_path(node: ast.expr) -> bool:
    """Return whether an expression joins a path: `folder / "model.eqx"`."""
    is_join = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
    return is_join and isinstance(getattr(node, "right", None), ast.Constant | ast.JoinedStr)


def _reordered(
    context: FailureContext,
    module: Module,
    node: ast.Call,
    taken: Sequence[TypedParameter],
    given: list[tuple[ast.expr, str]],
) -> OtherOrder | None:
    """Return the call with the one order of its arguments that fits the signature."""
    if len(given) < 2 or any(isinstance(a, ast.Starred) for a, _ in given):
        return None
    named = {k.arg for k in node.keywords}
    if None in named or not taken:
        return None
    free = [p for p in taken if p.name not in named]
    values = [_Argument(module.text(a), kind) for a, kind in given]
    if _order_fits(values, free[: len(values)]) and len(values) <= len(free):
        return None
    order = _best_order(values, free)
    if order is None:
        return None
    parts = [*order, *(module.text(k) for k in node.keywords)]
    name = module.text(node.func)
    written = ", ".join(p.name if p.is_required else f"{p.name}=…" for p in taken)
    facts = {
        "name": name,
        "argument": f"{name}({', '.join(parts)})".replace("\n", " "),
        "detail": f"{name}({written})",
    }
    place = module.location(node)
    return OtherOrder(
        place, facts, context=context, module=module, node=node, arguments=", ".join(parts)
    )


def _order_fits(values: Sequence[_Argument], taken: Sequence[TypedParameter]) -> bool:
    """Return whether no argument is certainly of another kind than its parameter takes."""
    return all(p.may_take(v.kind) for v, p in zip(values, taken, strict=False))


def _best_order(values: list[_Argument], free: list[TypedParameter]) -> list[str] | None:
    """Return the order that fits and moves the fewest arguments, as texts; None if two do."""
    required = {p.name for p in free if p.is_required}
    found: list[tuple[int, list[str]]] = []
    for places in permutations(range(len(free)), len(values)):
        is_complete = required <= {free[i].name for i in places}
        pairs = zip(values, places, strict=True)
        if is_complete and all(free[i].takes(v.kind) for v, i in pairs):
            found.append((_moves(places), list(_argument_texts(values, places, free))))
    found.sort(key=lambda one: one[0])
    if not found or (len(found) > 1 and found[0][0] == found[1][0]):
        return None
    return found[0][1]


def _moves(places: Sequence[int]) -> int:
    """Count the pairs of arguments that change their order."""
    return sum(first > second for first, second in combinations(places, 2))


def _argument_texts(
    values: list[_Argument], places: Sequence[int], free: list[TypedParameter]
) -> Iterator[str]:
    """Write the arguments in the order of the signature, with keywords after a gap."""
    ordered = sorted(zip(places, values, strict=True), key=lambda pair: pair[0])
    for number, (place, value) in enumerate(ordered):
        yield value.text if place == number else f"{free[place].name}={value.text}"


def right_order(found: OtherOrder) -> Drafts:
    """Pass the arguments in the order of the signature, which no other order fits."""
    first = found.module.span(found.node.func)
    last = found.module.span(found.node)
    place = type(last)(first.end_line, first.end_column, last.end_line, last.end_column)
    yield Draft(found.module).certain().replace(place, f"({found.arguments})")


RULES = (Rule("arguments-swapped", raised(other_order, of_any_class=True), right_order),)
