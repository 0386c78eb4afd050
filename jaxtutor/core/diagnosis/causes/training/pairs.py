"""Finds inputs and labels that are shuffled apart, so that their rows no longer belong together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in, method_of
from jaxtutor.core.diagnosis.reading.functions import block_of
from jaxtutor.core.diagnosis.reading.names import all_names, bound_value, last_name, last_part
from jaxtutor.core.diagnosis.words import LABELS

_SEEDING = ("seed", "set_state", "default_rng", "RandomState", "Random", "setstate")
_JAX = "jax.random.permutation"


class Shuffle(Struct, frozen=True):
    """An array that a statement puts into a random order.

    `order` is the expression that decides the order: a key, or a call that draws one.
    """

    name: str
    statement: ast.stmt
    call: ast.Call
    order: ast.expr
    is_keyed: bool


class ShuffledApart(Finding, frozen=True, kw_only=True):
    """Two arrays that are shuffled into different orders, one after the other."""

    first: Shuffle
    second: Shuffle


def read_pairs(module: Module) -> Iterator[ShuffledApart]:
    """Yield the shuffles of labels whose inputs were shuffled into another order just before."""
    for scope in (module.tree, *module.functions):
        shuffles = [s for node in own_nodes(scope) if (s := shuffle_at(module, node)) is not None]
        for first, second in pairwise(shuffles):
            if _are_apart(module, scope, first, second):
                inputs, labels = sorted((first, second), key=_are_labels)
                facts = {"name": labels.name, "argument": inputs.name}
                yield ShuffledApart(
                    module=module,
                    node=second.call,
                    facts=facts,
                    first=first,
                    second=second,
                    is_certain=False,  # only their names say that they are pairs
                )


def shuffle_at(module: Module, node: ast.AST) -> Shuffle | None:
    """Return the shuffle that a statement does: `x = permutation(key, x)`, `rng.shuffle(x)`."""
    match node:
        case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=ast.Call() as call):
            return _permuted(module, node, call)
        case ast.Assign(
            targets=[ast.Name() | ast.Attribute()],
            value=ast.Subscript(value=ast.Name() | ast.Attribute() as array, slice=index),
        ):
            drawn, name = bound_value(module, index), path_of(array)
            order = _drawn(module, drawn) if isinstance(drawn, ast.Call) else None
            if order is None or name is None or not isinstance(drawn, ast.Call):
                return None
            return Shuffle(name, node, drawn, order, order is not drawn)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="shuffle"), args=[given]) as call):
            path = path_of(given)
            return Shuffle(path, node, call, call, False) if path is not None else None
    return None


def _permuted(module: Module, statement: ast.stmt, call: ast.Call) -> Shuffle | None:
    order = _drawn(module, call)
    name = path_of(call.args[-1]) if order is not None else None
    if order is None or name is None:
        return None
    return Shuffle(name, statement, call, order, order is not call)


def _drawn(module: Module, call: ast.Call) -> ast.expr | None:
    """Return what decides the order that a call draws: its key, or the call itself."""
    if module.dotted(call.func) == _JAX:
        return call.args[0] if len(call.args) == 2 else None
    is_drawn = method_of(call) == "permutation"
    return call if is_drawn and len(call.args) == 1 else None


def _are_apart(module: Module, scope: ast.AST, first: Shuffle, second: Shuffle) -> bool:
    """Return whether two shuffles take inputs and their labels into different orders."""
    are_pair = _are_labels(first) != _are_labels(second)
    block = block_of(module, first.statement)
    if not are_pair or second.statement not in block or first.order is second.order:
        return False
    if sum(_seeds(n) for n in calls_in(scope)) > 1:
        return False  # the same seed again gives the same order again
    if first.is_keyed != second.is_keyed or not first.is_keyed:
        return True
    if module.text(first.order) != module.text(second.order):
        return True
    start, end = block.index(first.statement), block.index(second.statement)
    names = all_names(first.order)
    return any(names & bound_names(s) for s in block[start + 1 : end])


def _are_labels(shuffle: Shuffle) -> bool:
    return LABELS.search(last_part(shuffle.name)) is not None


def _seeds(call: ast.Call) -> bool:
    return last_name(call.func) in _SEEDING


def shuffle_together(found: ShuffledApart) -> Drafts:
    """Shuffle both into the order of the first."""
    module, first, second = found.module, found.first, found.second
    if first.is_keyed != second.is_keyed:
        return
    if first.is_keyed:
        yield Draft(module).replace(second.order, module.text(first.order))
    elif isinstance(second.statement, ast.Assign) and second.statement.value is not second.call:
        assert isinstance(second.statement.value, ast.Subscript)
        assert isinstance(first.statement, ast.Assign)
        if isinstance(first.statement.value, ast.Subscript):
            text = module.text(first.statement.value.slice)
            yield Draft(module).replace(second.statement.value.slice, text)
    elif isinstance(second.call.func, ast.Attribute):
        yield _by_one_order(module, first, second)


def _by_one_order(module: Module, first: Shuffle, second: Shuffle) -> Draft:
    """Draw one order, and take both arrays in it."""
    assert isinstance(second.call.func, ast.Attribute)
    source = module.text(second.call.func.value)
    line = module.span(first.statement)
    indent = module.lines[line.line - 1][: line.column]
    draft = Draft(module).add_lines(
        line.line, f"{indent}order = {source}.permutation(len({first.name}))"
    )
    for item in (first, second):
        target = item.name
        if isinstance(item.statement, ast.Assign):
            target = module.text(item.statement.targets[0])
        draft.replace(item.statement, f"{target} = {item.name}[order]")
    return draft


RULES = (Rule("pairs-shuffled-apart", read(read_pairs, imports=TRAINING), shuffle_together),)
