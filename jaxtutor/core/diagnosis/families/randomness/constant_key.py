"""Finds keys that a compiled function makes from a constant: they are the same in each call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.observed_state import loops_of, names_of, uses_of
from jaxtutor.core.diagnosis.source import Definition, Location, Module, bound_names, path_of
from jaxtutor.core.diagnosis.transforms import applied

Found = tuple[str, Location, dict[str, str]]

_MAKING = ("jax.random.key", "jax.random.PRNGKey")
_DERIVING = ("split", "fold_in", "clone", "key_data", "wrap_key_data", "key_impl")
_LOOPS = ("scan", "fori_loop", "while_loop")
_ON_PURPOSE = (
    "init", "make", "create", "build", "param", "weight", "feature", "basis", "project", "eval",
    "test", "valid", "data", "fixed", "determ", "hutch", "sketch", "main", "loader", "reset",
)  # fmt: skip


def constant_keys(module: Module) -> Iterator[Found]:
    """Yield each key of a constant seed from which a repeated compiled function draws."""
    for call in ast.walk(module.tree):
        if not isinstance(call, ast.Call) or module.dotted(call.func) not in _MAKING:
            continue
        if len(call.args) != 1 or not isinstance(call.args[0], ast.Constant):
            continue
        function = _repeated_around(module, call)
        if function is not None and _is_drawn_from(module, call):
            facts = {"function": function.name, "name": module.text(call), "form": "constant"}
            yield "prng-key-reuse", module.location(call), facts


def _repeated_around(module: Module, node: ast.AST) -> Definition | None:
    """Return the compiled function around a node that runs more than once."""
    around = [n for n in module.ancestors(node) if isinstance(n, Definition)]
    if any(word in f.name.lower() for f in around for word in _ON_PURPOSE):
        return None
    for function in around:
        items = [a for a in applied(module) if a.function is function]
        if any(a.kind in _LOOPS for a in items):
            return function
        if any(a.kind == "jit" for a in items) and _is_called_often(module, function):
            return function
    return None


def _is_called_often(module: Module, function: Definition) -> bool:
    names = {function.name, *names_of(module, function)} - {""}
    return any(any(loops_of(module, use)) for use in uses_of(module, names))


def _is_drawn_from(module: Module, call: ast.Call) -> bool:
    """Return whether numbers are drawn from a key, or from its parts, and it is never folded."""
    parent, statement = module.parents.get(call), module.statement(call)
    if isinstance(parent, ast.Call):
        return _draws(module, parent)
    if not isinstance(statement, ast.Assign) or statement.value is not call:
        return False
    names = bound_names(statement)
    for other in ast.walk(module.scope(call)):  # keys that are split off belong to it
        if isinstance(other, ast.Assign) and _takes(module, other.value, names, ("split",)):
            names = names | bound_names(other)
    calls = [n for n in ast.walk(module.scope(call)) if isinstance(n, ast.Call)]
    if any(_takes(module, n, names, ("fold_in",)) for n in calls):
        return False
    return any(_draws(module, n) and path_of(n.args[0]) in names for n in calls if n.args)


def _takes(module: Module, node: ast.expr, names: set[str], functions: tuple[str, ...]) -> bool:
    if not isinstance(node, ast.Call) or not node.args or path_of(node.args[0]) not in names:
        return False
    return module.dotted(node.func) in [f"jax.random.{name}" for name in functions]


def _draws(module: Module, call: ast.Call) -> bool:
    home, _, name = (module.dotted(call.func) or "").rpartition(".")
    return home == "jax.random" and name not in _DERIVING
