"""Finds and fixes loops whose body computes a new state and returns the old one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    own_nodes,
)
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied, name_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters, result_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.words import NEXT, has_word

_ZEROS = ("zeros", "zeros_like", "empty", "empty_like")


class ReplacedState(ExpressionFinding, frozen=True, kw_only=True):
    """The old state that a body returns in the place of a new one; `new` are what it may be."""

    new: tuple[str, ...]


def read_loops(module: Module) -> Iterator[ReplacedState]:
    """Yield the scans and fori_loops whose state is the initial one in every round."""
    for loop in applied(module):
        value = result_of(loop.function) if loop.function is not None else None
        if loop.function is None or value is None:
            continue
        if loop.kind == "scan" and isinstance(value, ast.Tuple) and len(value.elts) == 2:
            carry, output = value.elts
            unread = _unread_state(loop.function)
            is_state = bool(unread) or _starts_at_zero(loop)
            is_lost = bool(unread) or _is_state_in(loop, loop.function, output)
            new: tuple[str, ...] = (unread or module.text(output),)
        elif loop.kind == "fori_loop":
            carry, is_lost = value, _computes(loop.function, _state_names(loop.function, 1))
            is_state = True
            new = _bound_last(loop.function)
        else:
            continue
        position = 0 if loop.kind == "scan" else 1
        if is_lost and _is_unchanged(loop.function, carry, position):
            facts = {"name": module.text(carry), "function": name_of(loop.function) or "the body"}
            yield ReplacedState(
                module=module, node=carry, facts=facts, new=new, is_certain=is_state
            )


def _state_names(function: FunctionNode, position: int) -> set[str]:
    """Return the name of the carry, and the names that it is unpacked into."""
    given = parameters(function)
    if len(given) != 2:
        return set()
    name = given[position].arg
    parts = {
        part
        for node in own_nodes(function)
        if isinstance(node, ast.Assign) and getattr(node.value, "id", "") == name
        for part in bound_names(node)
    }
    return {name, *parts}


def _is_unchanged(function: FunctionNode, carry: ast.expr, position: int) -> bool:
    """Return whether a returned carry is the one that came in, whole."""
    name = parameters(function)[position].arg if len(parameters(function)) == 2 else ""
    known = _state_names(function, position)
    bound = [
        (part, node)
        for node in own_nodes(function)
        if isinstance(node, ast.stmt)
        for part in bound_names(node)
    ]
    again = {
        part for part, node in bound if getattr(getattr(node, "value", None), "id", "") != name
    }
    parts = carry.elts if isinstance(carry, ast.Tuple) else [carry]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    is_whole = names == [name] or set(names) == known - {name}
    return len(names) == len(parts) and is_whole and not set(names) & again


def _is_state_in(loop: AppliedTransform, function: FunctionNode, output: ast.expr) -> bool:
    """Return whether the carry of a scan is a state, and not a setting that all rounds share.

    It is if it starts at 0, which few settings are, or if the output is called a new version of it.
    """
    known = _state_names(function, 0)
    value = _bound_in(function, output)
    if not known & names_in(value) or isinstance(value, ast.Name):
        return False
    if isinstance(function, ast.Lambda):
        return False
    name = output.id if isinstance(output, ast.Name) else ""
    return _is_version(name, known) or _starts_at_zero(loop)


def _starts_at_zero(loop: AppliedTransform) -> bool:
    init = argument(loop.call, 1, "init") if loop.call is not None else None
    return init is not None and _is_zero_value(loop.module, bound_value(loop.module, init))


def _unread_state(function: FunctionNode) -> str:
    """Return the only name that a scan's body computes from the carry and never reads."""
    known = _state_names(function, 0)
    nodes = list(own_nodes(function))
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    made = [n for n in nodes if isinstance(n, ast.Assign) and known & names_in(n.value)]
    names = {name for node in made for name in bound_names(node)} - read - known
    found = [name for name in names if not name.startswith("_")]
    return found[0] if len(found) == 1 else ""


def _bound_in(function: FunctionNode, node: ast.expr) -> ast.expr:
    """Return what a function last assigned to a name; the node itself for anything else."""
    name = getattr(node, "id", None)
    bound = [
        n.value for n in own_nodes(function) if isinstance(n, ast.Assign) and name in bound_names(n)
    ]
    return bound[-1] if bound else node


def _is_version(name: str, known: set[str]) -> bool:
    return has_word(name, NEXT) or any(name.lower().startswith(f"{k}_") for k in known)


def _is_zero_value(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_zero_value(module, item) for item in node.elts)
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Constant) and node.value == 0
    path = module.dotted(node.func) or ""
    given = node.args[0] if len(node.args) == 1 else None
    is_array_of_zero = given is not None and _is_zero_value(module, given)
    return path.startswith("jax.numpy.") and (path[10:] in _ZEROS or is_array_of_zero)


def _computes(function: FunctionNode, known: set[str]) -> bool:
    """Return whether a body computes something from its state, and does nothing else."""
    if isinstance(function, ast.Lambda):
        return False
    nodes = list(own_nodes(function))
    has_effect = any(isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) for n in nodes)
    stores = any(isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store) for n in nodes)
    made = [n for n in nodes if isinstance(n, ast.Assign) and not isinstance(n.value, ast.Name)]
    reads = any(known & names_in(n.value) for n in made)
    return reads and not has_effect and not stores


def _bound_last(function: FunctionNode) -> tuple[str, ...]:
    made = [n for n in own_nodes(function) if isinstance(n, ast.Assign)]
    return tuple(bound_names(made[-1])) if made else ()


def return_new_state(found: ReplacedState) -> Drafts:
    """Return what the body computed as the next state: its output, else what it bound last."""
    for name in found.new:
        yield Draft(found.module).replace(found.node, name)


RULES = (Rule("carry-returned-unchanged", read(read_loops), return_new_state),)
