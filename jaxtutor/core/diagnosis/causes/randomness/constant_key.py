"""Finds keys that a compiled function makes from a constant: they are the same in each call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.observed.keys import pairs_sizes
from jaxtutor.core.diagnosis.observed.state import names_of, uses_of
from jaxtutor.core.diagnosis.reading.calls import calls_in, calls_to
from jaxtutor.core.diagnosis.reading.loops import carried, loop_around
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.words import CONSTANT_KEYS, says

MOST_DEPTH = 3
"""Calls between a compiled function and the one that makes the key."""


_MAKING = ("jax.random.key", "jax.random.PRNGKey")
_DERIVING = ("split", "fold_in", "clone", "key_data", "wrap_key_data", "key_impl")
_LOOPS = ("scan", "fori_loop", "while_loop")


def constant_keys(module: Module) -> Iterator[Finding]:
    """Yield each key of a constant seed from which a repeated compiled function draws."""
    for call in module.calls:
        if module.dotted(call.func) not in _MAKING:
            continue
        if _is_made_for_each_layer(module, call):
            facts = {"name": module.text(call), "form": "layers"}
            yield finding(module, call, facts)
        if len(call.args) != 1 or not isinstance(call.args[0], ast.Constant):
            continue
        function = _repeated_around(module, call)
        if function is not None and _is_drawn_from(module, call):
            facts = {"function": function.name, "name": module.text(call), "form": "constant"}
            yield finding(module, call, facts)


def _is_made_for_each_layer(module: Module, call: ast.Call) -> bool:
    """Return whether a loop over the sizes of a network makes each layer from the same seed."""
    parent = module.parents.get(call)
    if not isinstance(parent, ast.Call) or not _draws(module, parent):
        return False
    for outer in module.ancestors(call):
        if isinstance(outer, ast.For | ast.ListComp) and pairs_sizes(outer):
            stored = (n for n in ast.walk(outer) if isinstance(n, ast.Name))
            return not names_in(call) & {n.id for n in stored if isinstance(n.ctx, ast.Store)}
        if isinstance(outer, FunctionNode):
            return False
    return False


def _repeated_around(module: Module, node: ast.AST) -> Definition | None:
    """Return the function around a node, if it belongs to a compiled step or loop body."""
    around = [n for n in module.ancestors(node) if isinstance(n, Definition)]
    users = [*around, *(u for f in around for u in _users(module, f))]
    if any(says(f.name, CONSTANT_KEYS) for f in users):
        return None
    if not any(_runs_repeatedly(module, function) for function in users):
        return None
    return around[0]


def _users(module: Module, function: Definition, depth: int = MOST_DEPTH) -> Iterator[Definition]:
    """Yield the functions of the file that call a function, and those that call them."""
    named = [n for n in module.nodes if isinstance(n, ast.Name) and n.id == function.name]
    methods = [c for c in calls_to(module, function.name) if isinstance(c.func, ast.Attribute)]
    for use in (*named, *methods) if depth else ():
        for user in module.ancestors(use):
            if isinstance(user, Definition) and user is not function:
                yield user
                yield from _users(module, user, depth - 1)


def _runs_repeatedly(module: Module, function: Definition) -> bool:
    """Return whether a function is a body of a compiled loop, or compiled and called in rounds.

    Rounds that hand nothing on may be experiments, which share their random numbers on purpose.
    """
    kinds = {item.kind for item in applied(module) if item.function is function}
    if "jit" not in kinds:
        return not kinds.isdisjoint(_LOOPS)
    for use in uses_of(module, {function.name, *names_of(module, function)} - {""}):
        call, loop = module.parents.get(use), loop_around(module, use)
        if loop is not None and isinstance(call, ast.Call) and carried(module, loop, call):
            return True
    return False


def _is_drawn_from(module: Module, call: ast.Call) -> bool:
    """Return whether numbers are drawn from a key, or from its parts, and it is never folded."""
    parent, statement = module.parents.get(call), module.statement(call)
    if _is_given_to_model(module, call):
        return True
    if isinstance(parent, ast.Call):
        return _draws(module, parent)
    if not isinstance(statement, ast.Assign) or statement.value is not call:
        return False
    names = bound_names(statement)
    for other in ast.walk(module.scope(call)):  # keys that are split off belong to it
        if isinstance(other, ast.Assign) and _takes(module, other.value, names, ("split",)):
            names = names | bound_names(other)
    calls = list(calls_in(module.scope(call)))
    if any(_takes(module, n, names, ("fold_in",)) for n in calls):
        return False
    return any(_draws(module, n) and path_of(n.args[0]) in names for n in calls if n.args)


def _is_given_to_model(module: Module, key: ast.expr) -> bool:
    """Return whether a key is the one that a model draws from: in `rngs=`, or of Haiku's `apply`.

    In an evaluation a model does not draw, and its key does not matter.
    """
    part: ast.AST = key
    owner = module.parents.get(part)
    if isinstance(owner, ast.Dict):
        part, owner = owner, module.parents.get(owner)
    if isinstance(owner, ast.keyword):
        part, owner = owner, module.parents.get(owner)
    if not isinstance(owner, ast.Call) or not isinstance(owner.func, ast.Attribute):
        return False
    if owner.func.attr not in ("apply", "apply_fn") or _is_evaluated(owner):
        return False
    if isinstance(part, ast.keyword):
        return part.arg in ("rngs", "rng")
    return part is key and part in owner.args[1:3] and _is_haiku(module, owner.func.value)


def _is_evaluated(call: ast.Call) -> bool:
    """Return whether a call switches a model to evaluation."""
    flags = {k.arg: getattr(k.value, "value", None) for k in call.keywords}
    is_off = any(flags.get(name) is False for name in ("train", "training", "is_training"))
    return is_off or flags.get("deterministic") is True or False in _constants(call)


def _constants(call: ast.Call) -> list[object]:
    return [a.value for a in call.args if isinstance(a, ast.Constant)]


def _is_haiku(module: Module, model: ast.expr) -> bool:
    words = {n.attr for n in module.nodes if isinstance(n, ast.Attribute)}
    if not words & {"dropout", "next_rng_key", "next_rng_keys"}:
        return False  # it draws nothing
    made = bound_value(module, model)
    path = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    return path in ("haiku.transform", "haiku.transform_with_state")


def _takes(module: Module, node: ast.expr, names: set[str], functions: tuple[str, ...]) -> bool:
    if not isinstance(node, ast.Call) or not node.args or path_of(node.args[0]) not in names:
        return False
    return module.dotted(node.func) in [f"jax.random.{name}" for name in functions]


def _draws(module: Module, call: ast.Call) -> bool:
    home, _, name = (module.dotted(call.func) or "").rpartition(".")
    return home == "jax.random" and name not in _DERIVING
