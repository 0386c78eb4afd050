"""Finds moving averages in which the weight of the new value and that of the old are swapped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core.diagnosis.causes.training.updates import TREE_MAPS, assigned_elements
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, argument_for, calls_to
from jaxtutor.core.diagnosis.reading.functions import parameters as parameters_of
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.patterns import first_match, matches
from jaxtutor.core.diagnosis.words import AVERAGES, has_word

LEAST = 0.05
"""The weight that the past of a slow average has at least; below, it follows at once."""


class Average(Struct, frozen=True):
    """A sum of two values by weights that add up to 1."""

    node: ast.expr
    old_weight: ast.expr
    new_weight: ast.expr
    old: float


class ForgetfulAverage(Finding, frozen=True, kw_only=True):
    """An average whose weights are swapped, so that it follows the new value at once."""

    average: Average


def read_averages(module: Module) -> Iterator[ForgetfulAverage]:
    """Yield each slow average, of which a round forgets nearly all."""
    for target, value in _named_values(module):
        average = _average(module, target, value)
        if average is not None and 0 < average.old < LEAST:
            facts = {"name": target, "argument": f"{average.old:.3g}"}
            form = "library" if isinstance(average.node, ast.Call) else ""
            yield ForgetfulAverage(
                None,
                facts,
                form,
                module=module,
                node=average.node,
                average=average,
                is_certain=isinstance(value, ast.Call),  # of a sum only the name says it
            )


def _named_values(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield what is bound to a name, or replaces a field."""
    for node in module.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            targets, value = assigned_elements(node.targets[0]), node.value
            values = value.elts if isinstance(value, ast.Tuple) else [value]
            pairs = zip(map(path_of, targets), values, strict=False)
            yield from ((path, v) for path, v in pairs if path is not None)
        elif isinstance(node, ast.Call):
            func = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            for keyword in node.keywords if func in ("replace", "_replace") else ():
                if keyword.arg is not None:
                    yield keyword.arg, keyword.value


def _average(module: Module, target: str, value: ast.expr) -> Average | None:
    """Return the average that an expression computes, if the old value has the target's name.

    A tree that a map mixes with another by weights follows it. A number may be mixed to smooth
    labels, for instance, which is not meant to keep the past.
    """
    if isinstance(value, ast.Call):
        path = module.dotted(value.func) or ""
        if path in TREE_MAPS and len(value.args) == 3 and isinstance(value.args[0], ast.Lambda):
            function = value.args[0]
            own = [_is_same(target, tree) for tree in value.args[1:]]
            names = [a.arg for a in function.args.args]
            if own.count(True) != 1 or len(names) != 2:
                return None
            return _weighted(module, function.body, names[own.index(True)], names[own.index(False)])
        if path == "optax.incremental_update":
            return _incremental(module, target, value)
        return None
    return (
        _weighted(module, value, target, "")
        if has_word(target.rpartition(".")[2], AVERAGES)
        else None
    )


def _is_same(target: str, node: ast.expr) -> bool:
    """Return whether a node is what a target names: `ema`, or `state.ema` for a field `ema`."""
    path = path_of(node) or ""
    return path == target or ("." not in target and last_part(path) == target)


def _incremental(module: Module, target: str, call: ast.Call) -> Average | None:
    """Return the average of `optax.incremental_update(new, old, step_size)`."""
    new, old = argument(call, 0, "new_tensors"), argument(call, 1, "old_tensors")
    size = argument(call, 2, "step_size")
    share = _written_number(module, size) if size is not None else None
    if new is None or old is None or size is None or share is None:
        return None
    if _is_same(target, new) and not _is_same(target, old):
        return Average(call, new, old, share)
    return Average(call, size, size, 1 - share) if _is_same(target, old) else None


def _weighted(module: Module, node: ast.expr, old: str, new: str) -> Average | None:
    """Return the average `a * old + b * new`, in which one weight is 1 less the other."""
    for found in matches(module, node, "$first * $value + $second * $added"):
        first, second = found["first"], found["second"]
        is_pair = _is_rest(module, first, second) or _is_rest(module, second, first)
        share = _written_number(module, first)
        is_own = _is_same(old, found["value"]) and (not new or path_of(found["added"]) == new)
        if is_own and is_pair and share is not None:
            return Average(node, first, second, share)
    return None


def _is_rest(module: Module, node: ast.expr, weight: ast.expr) -> bool:
    """Return whether an expression is 1 less a weight."""
    rest = first_match(module, node, "1 - $weight")
    if rest is not None:
        return ast.dump(rest["weight"]) == ast.dump(weight)
    one, other = (getattr(n, "value", None) for n in (node, weight))
    return isinstance(one, float) and isinstance(other, float) and abs(one + other - 1) < 1e-9


def _written_number(module: Module, node: ast.expr) -> float | None:
    """Return the number that an expression is, where the file writes it out."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            first, second = _written_number(module, left), _written_number(module, right)
            return None if first is None or second is None else first - second
        case ast.Name():
            return _named_number(module, node)
    return None


def _named_number(module: Module, name: ast.Name) -> float | None:
    """Return the only number that a name stands for: a constant, a default or an argument."""
    for function in (f for f in module.ancestors(name) if isinstance(f, FunctionNode)):
        given = function.args
        if name.id not in {a.arg for a in parameters_of(function)}:
            continue
        called = getattr(function, "name", "")
        passed = [argument_for(function, c, name.id) for c in calls_to(module, called)]
        if any(value is not None for value in passed):
            numbers = {_written_number(module, v) for v in passed if v is not None}
            return numbers.pop() if len(numbers) == 1 and None not in passed else None
        places = [*given.posonlyargs, *given.args][-len(given.defaults) or None :]
        defaults = zip(places, given.defaults, strict=False)
        found = [d for a, d in defaults if a.arg == name.id] if given.defaults else []
        found += [
            d
            for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if a.arg == name.id and d is not None
        ]
        return _written_number(module, found[0]) if found else None
    scopes = [f for f in module.ancestors(name) if isinstance(f, FunctionNode)]
    bound = [s for scope in (*scopes, module.tree) for s in module.assignments(name.id, scope)]
    value = bound[0].value if len(bound) == 1 and isinstance(bound[0], ast.Assign) else None
    return _written_number(module, value) if isinstance(value, ast.Constant) else None


def swap_weights(found: ForgetfulAverage) -> Drafts:
    """Give the old value the weight of the new one, and the new one the rest."""
    module, old, new = found.module, found.average.old_weight, found.average.new_weight
    draft = Draft(module)
    if old is new:
        yield draft.replace(old, f"1.0 - {module.text(old)}")
    else:
        yield draft.replace(old, module.text(new)).replace(new, module.text(old))


RULES = (Rule("average-weights-swapped", read(read_averages, imports=TRAINING), swap_weights),)
