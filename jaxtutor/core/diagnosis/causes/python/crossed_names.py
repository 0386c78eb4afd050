"""Finds values that take each other's names: in what is unpacked, passed or carried.

A tuple has places, and no names. That two of them were exchanged shows only in what the two sides
call them, so each finding is worth a look and never certain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    name_of,
    resolve,
    transformation,
)
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of, returned
from jaxtutor.core.diagnosis.reading.names import bound_value, last_name, last_part
from jaxtutor.core.diagnosis.reading.other_files import function_called
from jaxtutor.core.diagnosis.words import words_of

_KEEPING = {"jit", "checkpoint", "value_and_grad"}
"""Transformations that keep the result of a function, alone or beside its gradient."""
_CARRY = {"scan": (0, 1), "fori_loop": (1, 3), "while_loop": (0, 2)}
"""The loops, with the places of the carry: in the parameters of the body, and in the call."""


class Place(Struct, frozen=True):
    """What one side calls a value. `said` are further words that stand in its expression."""

    name: str
    said: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """The words of the name."""
        return frozenset(words_of(self.name))


class Crossed(Finding, frozen=True, kw_only=True):
    """A tuple or a call, and the two parts of it that take each other's names."""

    parts: tuple[ast.expr, ast.expr]


# ---------------------------------------------------------------- names on both sides


def crossed(ours: Sequence[Place], theirs: Sequence[Place]) -> tuple[int, int] | None:
    """Return the only two places whose names are exchanged between two sides; None without.

    Each name of the pair has a word of the other's counterpart, and none of its own.
    """
    found = [
        (i, j)
        for i, j in combinations(range(len(ours)), 2)
        if _is_crossed(ours[i], ours[j], theirs[i], theirs[j])
    ]
    return found[0] if len(found) == 1 else None


def _is_crossed(first: Place, second: Place, other_first: Place, other_second: Place) -> bool:
    if _share_word(first.words, other_first.words | other_first.said):
        return False
    if _share_word(second.words, other_second.words | other_second.said):
        return False
    one = _share_word(first.words, other_second.words - other_first.words)
    other = _share_word(second.words, other_first.words - other_second.words)
    return (one and other) or ((one and not other_first.name) or (other and not other_second.name))


def _share_word(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether a word is in both, whole or as the beginning of a longer one: `acc`."""
    return any(
        a == b or (min(len(a), len(b)) >= _SHORTEST and (a.startswith(b) or b.startswith(a)))
        for a in one
        for b in other
    )


_SHORTEST = 3
"""Letters of a word that stands for a longer one."""


def _place_of_part(node: ast.expr) -> Place:
    """Return what an expression calls its value: a name, an attribute, or nothing."""
    path = path_of(node)
    if path is not None:
        return Place(last_part(path))
    inner = (n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute))
    return Place("", frozenset(word for n in inner for word in words_of(last_name(n))))


# ---------------------------------------------------------------- results that are unpacked


def read_unpacked(modules: Mapping[str, Module]) -> Iterator[Crossed]:
    """Yield each tuple that names the parts of a function's result in another order."""
    for module in modules.values():
        for node in module.nodes:
            match node:
                case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call() as call):
                    yield from _unpacked_result(modules, module, parts, call)


def _unpacked_result(
    modules: Mapping[str, Module], module: Module, parts: list[ast.expr], call: ast.Call
) -> Iterator[Crossed]:
    called = _called(modules, module, call)
    if called is None:
        return
    home, function, has_gradient = called
    if has_gradient:
        match parts:
            case [ast.Tuple(elts=inner), _]:
                parts = inner
            case _:
                return
    results = _results(function)
    if len(results) != len(parts):
        return
    pair = crossed([_place_of_part(part) for part in parts], results)
    if pair is not None and not _is_passed_so(call, pair, parts):
        i, j = pair
        facts = {
            "function": name_of(function),
            "argument": ", ".join(home.text(r) for r in _last_tuple(function)),
            "name": ", ".join(module.text(part) for part in parts),
            "line": str(_last_tuple(function)[0].lineno),
        }
        yield _crossed_parts(module, parts[i], parts[j], facts, "unpacked")


def _is_passed_so(call: ast.Call, pair: tuple[int, int], parts: list[ast.expr]) -> bool:
    """Return whether a call is given the two in the order in which they come back."""
    given = [path_of(argument) for argument in call.args]
    one, other = (path_of(parts[i]) for i in pair)
    return one in given and other in given and given.index(one) < given.index(other)


def _called(
    modules: Mapping[str, Module], module: Module, call: ast.Call
) -> tuple[Module, FunctionNode, bool] | None:
    """Return the function whose result a call returns, and whether with a gradient beside it."""
    own = function_called(modules, module, call.func)
    if own is not None:
        home, function = own
        return (home, function, False) if _keeps_result(home, function) else None
    made = bound_value(module, call.func)
    kinds = set[str]()
    while isinstance(made, ast.Call) and len(made.args) == 1:
        kinds.add(transformation(module, made.func) or "")
        made = _with_aux(made) if "value_and_grad" in kinds else made.args[0]
    known = resolve(module, made, call) if isinstance(made, ast.Name) else None
    is_kept = isinstance(known, Definition) and _keeps_result(module, known)
    if not isinstance(known, Definition) or not is_kept or not kinds <= _KEEPING:
        return None
    return module, known, "value_and_grad" in kinds


def _with_aux(call: ast.Call) -> ast.expr:
    """Return the function whose gradient a call computes, if it returns something beside it."""
    return call.args[0] if keyword_value(call, "has_aux") is not None else call.func


def _keeps_result(module: Module, function: Definition) -> bool:
    """Return whether a call of a function returns what its body returns."""
    made = [item for item in applied(module) if item.function is function]
    known = [item.node for item in made if item.kind in ("jit", "checkpoint")]
    return not isinstance(function, ast.AsyncFunctionDef) and all(
        decorator in known or path_of(decorator) in ("staticmethod", "classmethod")
        for decorator in function.decorator_list
    )


def _results(function: FunctionNode) -> list[Place]:
    """Return what a function calls the parts of the tuple that it returns; empty if it varies.

    A parameter that is returned as it came says nothing: a function may exchange two on purpose.
    """
    ends = [end.elts if isinstance(end, ast.Tuple) else [] for end in returned(function)]
    if not ends or len({len(end) for end in ends}) != 1:
        return []
    given = set(parameter_names(function)) - {
        name for node in own_nodes(function) for name in bound_names(node)
    }
    return [_common(parts, given) for parts in zip(*ends, strict=True)]


def _common(parts: Sequence[ast.expr], given: set[str]) -> Place:
    """Return what all results call one part, or else the words in any of them."""
    places = {_place_of_part(part) for part in parts}
    first = next(iter(places))
    if len(places) == 1 and first.name not in given:
        return first
    return Place("", frozenset[str]().union(*(it.words | it.said for it in places)))


def _last_tuple(function: FunctionNode) -> list[ast.expr]:
    ends = [end.elts for end in returned(function) if isinstance(end, ast.Tuple)]
    return ends[-1]


# ---------------------------------------------------------------- arguments


def read_arguments(modules: Mapping[str, Module]) -> Iterator[Crossed]:
    """Yield each call that passes two variables at each other's places, by their names."""
    for module in modules.values():
        for call in module.calls:
            if len(call.args) > 1 and not any(isinstance(a, ast.Starred) for a in call.args):
                yield from _positions(modules, module, call)


def _positions(modules: Mapping[str, Module], module: Module, call: ast.Call) -> Iterator[Crossed]:
    own = function_called(modules, module, call.func)
    if own is None:
        return
    _, function = own
    names = [n for n in parameter_names(function) if n not in ("self", "cls")]
    given = [_place_of_part(argument) for argument in call.args]
    if len(given) > len(names):
        return
    pair = crossed(given, [Place(name) for name in names[: len(given)]])
    if pair is None or any(len(given[i].name) < _SHORTEST for i in pair):
        return  # `f(y, x)` of two letters is mathematics, more often than a mistake
    if _is_on_purpose(module, function, call, pair):
        return
    i, j = pair
    facts = {
        "function": function.name,
        "argument": ", ".join(names),
        "name": ", ".join(module.text(a) for a in call.args),
        "line": str(function.lineno),
    }
    yield _crossed_parts(module, call.args[i], call.args[j], facts, "arguments")


def _is_on_purpose(
    module: Module, function: Definition, call: ast.Call, pair: tuple[int, int]
) -> bool:
    """Return whether a call may exchange two arguments on purpose.

    It does where the function calls itself, or is called with the same two in both orders, or where
    the call is all of a function that only takes them in another order.
    """
    if function in module.ancestors(call):
        return True
    i, j = pair
    both = {ast.dump(call.args[i]), ast.dump(call.args[j])}
    others = [
        c
        for c in module.calls
        if c is not call and last_part(path_of(c.func)) == function.name and len(c.args) > max(pair)
    ]
    if any({ast.dump(c.args[i]), ast.dump(c.args[j])} == both for c in others):
        return True
    around = module.function(call)
    return around is not None and result_of(around) is call


def _crossed_parts(
    module: Module, one: ast.expr, other: ast.expr, facts: dict[str, str], form: str
) -> Crossed:
    return Crossed(
        None,
        facts,
        form,
        module=module,
        node=module.parents[one],
        is_certain=False,
        parts=(one, other),
    )


# ---------------------------------------------------------------- carries


def read_carries(module: Module) -> Iterator[Crossed]:
    """Yield each carry that comes into the body of a loop, or out of it, in another order."""
    for item in applied(module):
        if item.kind in _CARRY and item.function is not None and item.call is not None:
            taken = _taken_apart(item)
            if taken is not None:
                yield from _carried(item, taken)


def _taken_apart(item: AppliedTransform) -> ast.Tuple | None:
    """Return the names into which the body of a loop takes its carry apart."""
    place, _ = _CARRY[item.kind]
    names = parameter_names(item.function)
    carry = names[place] if place < len(names) else ""
    for node in own_nodes(item.function) if item.function is not None else ():
        match node:
            case ast.Assign(targets=[ast.Tuple() as parts], value=ast.Name(id=name)) if (
                name == carry
            ):
                return parts
    return None


def _carried(item: AppliedTransform, taken: ast.Tuple) -> Iterator[Crossed]:
    assert item.call is not None
    assert item.function is not None
    names = [_place_of_part(part) for part in taken.elts]
    given = argument(item.call, _CARRY[item.kind][1], "init", "init_val")
    if isinstance(given, ast.Tuple) and len(given.elts) == len(names):
        yield from _carry(item, given, names, taken, "initial")
    end = result_of(item.function)
    if item.kind == "scan":
        end = end.elts[0] if isinstance(end, ast.Tuple) and end.elts else None
    if isinstance(end, ast.Tuple) and len(end.elts) == len(names):
        changed = [n for node in own_nodes(item.function) for n in bound_names(node)]
        if all(changed.count(place.name) > 1 for place in names):
            yield from _carry(item, end, names, taken, "carry")
    match item.module.parents.get(item.call):
        case ast.Assign(targets=[ast.Tuple() as target]):
            final = target.elts[0] if item.kind == "scan" else target
            if isinstance(final, ast.Tuple) and len(final.elts) == len(names):
                yield from _carry(item, final, names, taken, "final")


def _carry(
    item: AppliedTransform, tuple_: ast.Tuple, names: list[Place], taken: ast.Tuple, form: str
) -> Iterator[Crossed]:
    pair = crossed([_place_of_part(part) for part in tuple_.elts], names)
    if pair is None or any(not _place_of_part(tuple_.elts[i]).name for i in pair):
        return
    i, j = pair
    module = item.module
    facts = {
        "name": ", ".join(map(module.text, tuple_.elts)),
        "argument": ", ".join(map(module.text, taken.elts)),
        "function": name_of(item.function),
        "line": str(taken.lineno),
    }
    yield _crossed_parts(module, tuple_.elts[i], tuple_.elts[j], facts, form)


def exchange(found: Crossed) -> Drafts:
    """Exchange the two names."""
    one, other = found.parts
    module = found.module
    draft = Draft(module).replace(one, module.text(other))
    yield draft.replace(other, module.text(one))


def _read_all(modules: Mapping[str, Module]) -> Iterator[Crossed]:
    yield from read_unpacked(modules)
    yield from read_arguments(modules)


RULES = (Rule("names-exchanged", read(read_carries, of_all=_read_all), exchange),)
