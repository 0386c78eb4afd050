"""Finds updates whose result is dropped, and says what an update is computed from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in
from jaxtutor.core.diagnosis.reading.functions import parameter_names, returned
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import elements_or_itself

# Functions that return a new value and change nothing, with the position of what they update.
PURE = {
    "optax.apply_updates": 0,
    "optax.incremental_update": 1,
    "optax.periodic_update": 1,
    "equinox.apply_updates": 0,
    "equinox.tree_at": 1,
    "equinox.tree_inference": 0,
    "equinox.nn.inference_mode": 0,
    "jax.numpy.append": 0,
    "jax.numpy.concatenate": None,
    "jax.numpy.insert": 0,
    "jax.numpy.delete": 0,
    "jax.random.split": None,
    "jax.random.fold_in": 0,
    "jax.random.permutation": 1,
    "jax.random.shuffle": 1,
    "jax.lax.stop_gradient": 0,
    "jax.lax.with_sharding_constraint": 0,
    "jax.numpy.sort": 0,
    "jax.numpy.clip": 0,
    "jax.numpy.nan_to_num": 0,
    "jax.numpy.where": 1,
    "equinox.error_if": 0,
    "equinox.filter_shard": 0,
    "optax.tree.zeros_like": 0,
    "flax.serialization.from_state_dict": 0,
    "flax.serialization.from_bytes": 0,
    "flax.core.copy": 0,
    "flax.core.frozen_dict.copy": 0,
}
_PURE_HOMES = ("optax.", "flax.serialization.", "flax.traverse_util.", "flax.core.frozen_dict.")
_PURE_NAMES = frozenset(
    """
    flax.core.freeze flax.core.unfreeze flax.core.pop equinox.filter equinox.partition
    equinox.combine jax.tree.leaves jax.tree.unflatten jax.tree.transpose
    """.split()
)
"""Further functions that only return something: all of some modules, and some of others."""
_ASSERTING = ("assert", "check", "register", "validate", "warn")
PURE_BUILTINS = frozenset("sum len min max abs zip range tuple list float int".split())
_EFFECTS = (
    ast.Global,
    ast.Nonlocal,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.Raise,
    ast.Assert,
    ast.With,
    ast.Try,
    ast.Delete,
)
TREE_MAPS = ("jax.tree.map", "jax.tree_util.tree_map")
_PURE_METHODS = frozenset("astype reshape transpose flatten ravel squeeze clip swapaxes".split())
"""Methods of arrays, of NumPy as well as of JAX, that change nothing."""
PURE_HOMES = ("jax.numpy.", "jax.nn.", "jax.lax.", "optax.")


class DroppedUpdate(CallFinding, frozen=True, kw_only=True):
    """A call that returns a new version of `updated`, in a statement of its own."""

    updated: ast.expr


class DroppedValue(CallFinding, frozen=True, kw_only=True):
    """A call of a function that does nothing but return, in a statement of its own."""


class DroppedResult(CallFinding, frozen=True, kw_only=True):
    """A call of a function that returns what it renewed, in a statement of its own."""

    function: Definition


def dropped(module: Module, statement: ast.Expr) -> Iterator[DroppedUpdate]:
    """Find a call of a pure function that is a statement of its own."""
    call = statement.value
    if not isinstance(call, ast.Call):
        return
    updated = updated_by(module, call)
    if updated is not None and not is_expected_to_raise(module, call):
        name = module.text(updated) if path_of(updated) is not None else ""
        facts = {"name": name} if name else {}
        yield DroppedUpdate(module=module, node=call, facts=facts, updated=updated)


def dropped_value(module: Module, statement: ast.Expr) -> Iterator[DroppedValue]:
    """Find a call of a library's function without effects that is a statement of its own.

    In a notebook it may be there to be shown; the caller of the rule knows.
    """
    call = statement.value
    if not isinstance(call, ast.Call) or updated_by(module, call) is not None:
        return
    path = module.dotted(call.func) or ""
    name = path.rpartition(".")[2]
    is_pure = path in _PURE_NAMES or path.startswith(_PURE_HOMES)
    if is_pure and not name.startswith(_ASSERTING) and not is_expected_to_raise(module, call):
        facts = {"function": module.text(call.func)}
        yield DroppedValue(None, facts, "pure", module=module, node=call)


def lost_result(module: Module, statement: ast.Expr) -> Iterator[DroppedResult]:
    """`train(model, x, y)`, a statement of its own, returns the model that it trained."""
    call = statement.value
    if not isinstance(call, ast.Call):
        return
    function = module.function_named(path_of(call.func) or "")
    if function is None or is_expected_to_raise(module, call):
        return
    found = [(name, _is_read_after) for name in renewed_and_returned(function)]
    found += [(name, is_step) for name in mapped_and_returned(module, function)]
    for parameter, is_lost in found:
        given = path_of(argument_for(function, call, parameter))
        if given is not None and is_lost(module, call, given):
            facts = {"name": given, "function": function.name}
            yield DroppedResult(None, facts, "own", module=module, node=call, function=function)
            return


def renewed_and_returned(function: Definition) -> Iterator[str]:
    """Yield the parameters that a function binds again in a loop or step, and then returns."""
    ends = [e for e in returned(function) if e is not None]
    elements = [path_of(p) for e in ends for p in assigned_elements(e)]
    for name in parameter_names(function):
        bound = [n for n in own_nodes(function) if name in bound_names(n)]
        values = [n.value for n in bound if isinstance(n, ast.Assign)]
        is_renewed = any(isinstance(v, ast.Call) and name in names_in(v) for v in values)
        if name in elements and is_renewed and len(values) == len(bound):
            yield name


def mapped_and_returned(module: Module, function: Definition) -> Iterator[str]:
    """Yield the parameter whose leaves a function without effects changes, and then returns."""
    ends = [e for e in returned(function) if e is not None]
    result = bound_value(module, ends[0]) if len(ends) == 1 else None
    if not isinstance(result, ast.Call) or module.dotted(result.func) not in TREE_MAPS:
        return
    name = path_of(result.args[1]) if len(result.args) > 1 else None
    if name in set(parameter_names(function)) and _has_no_effect(module, function):
        yield name or ""


def _has_no_effect(module: Module, function: Definition) -> bool:
    """Return whether a function only computes: it binds names of its own, and calls JAX's."""
    for node in (n for statement in function.body for n in ast.walk(statement)):
        if isinstance(node, _EFFECTS):
            return False
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            return False  # not a docstring, so it is there for what it does
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Call):
            path = module.dotted(node.func) or path_of(node.func) or ""
            if not path.startswith((*PURE_HOMES, "jax.tree")) and path not in PURE_BUILTINS:
                return False
    return True


def is_step(module: Module, call: ast.Call, name: str) -> bool:
    """Return whether a call stands between the statement that binds a name and one that reads it.

    It does in a compiled function, or in a loop that binds the name in each round. Elsewhere the
    call may be a first run, which compiles the function.
    """
    around = list(module.ancestors(call))
    is_compiled = any(item.kind == "jit" and item.function in around for item in applied(module))
    is_bound = any(
        name in bound_names(n) for loop in loops_around(module, call) for n in ast.walk(loop)
    )
    return (is_compiled or is_bound) and is_read_below(module, call, name)


def _is_read_after(module: Module, call: ast.Call, name: str) -> bool:
    """Return whether a scope reads a name after a call, before it binds it again."""
    scope, first = module.scope(call), name.partition(".")[0]
    if module.assignments(first, scope) and loops_around(module, call):
        loops = loops_around(module, call)
        return not any(first in bound_names(n) for n in ast.walk(loops[-1]))
    return is_read_below(module, call, name)


def is_read_below(module: Module, call: ast.Call, name: str) -> bool:
    """Return whether a scope reads a name below a call, before it binds it again."""
    scope, first = module.scope(call), name.partition(".")[0]
    later = [n for n in own_nodes(scope) if getattr(n, "lineno", 0) > (call.end_lineno or 0)]
    reads = [n for n in later if isinstance(n, ast.Name | ast.Attribute) and path_of(n) == name]
    reads = [n for n in reads if isinstance(n.ctx, ast.Load)]
    binds = [n.lineno for n in later if isinstance(n, ast.stmt) and first in bound_names(n)]
    return any(read.lineno <= min(binds, default=read.lineno) for read in reads)


def loops_around(module: Module, node: ast.AST) -> list[ast.AST]:
    """List the loop statements around a node, the innermost first."""
    return [n for n in module.ancestors(node) if isinstance(n, ast.For | ast.While)]


def updated_by(module: Module, call: ast.Call) -> ast.expr | None:
    """Return the argument or object of which a call returns an updated copy."""
    path = module.dotted(call.func) or ""
    if path in PURE and call.args:
        return call.args[PURE[path] or 0] if len(call.args) > (PURE[path] or 0) else None
    if path in TREE_MAPS and len(call.args) > 1:
        return call.args[1] if _is_arithmetic(module, call.args[0]) else None
    if isinstance(call.func, ast.Attribute) and path_of(call.func.value) is not None:
        return call.func.value if _is_pure_method(module, call) else None
    return None


def _is_pure_method(module: Module, call: ast.Call) -> bool:
    assert isinstance(call.func, ast.Attribute)
    names = {k.arg for k in call.keywords}
    method = call.func.attr
    is_own = any(getattr(f, "name", "") == method for f in module.functions)
    if method in _PURE_METHODS:
        return not is_own and names <= {"dtype", "copy", "order", "axis", "min", "max"}
    if is_own or call.args or not names or None in names:
        return False
    if method in ("replace", "_replace"):
        foreign = names & {"inplace", "target", "to_replace", "value", "regex"}
        return not foreign or foreign <= _record_fields(module)
    return method == "apply_gradients" and names == {"grads"}


def _record_fields(module: Module) -> set[str]:
    """Name the fields of the file's classes whose `replace` returns a new object."""
    classes = [n for n in module.nodes if isinstance(n, ast.ClassDef)]
    made_by = {c: [module.dotted(n) or "" for n in (*c.decorator_list, *c.bases)] for c in classes}
    records = [c for c, paths in made_by.items() if any(p.startswith(_RECORDS) for p in paths)]
    fields = [n.target for c in records for n in c.body if isinstance(n, ast.AnnAssign)]
    return {target.id for target in fields if isinstance(target, ast.Name)}


_RECORDS = ("flax.struct.", "flax.training.", "chex.")


def _is_arithmetic(module: Module, function: ast.expr) -> bool:
    """Return whether a function is a lambda of arithmetic only, which has no effect."""
    if not isinstance(function, ast.Lambda):
        return False
    calls = list(calls_in(function.body))
    pure = [c for c in calls if (module.dotted(c.func) or "").startswith(PURE_HOMES)]
    is_computed = isinstance(function.body, ast.BinOp | ast.UnaryOp | ast.Call)
    return is_computed and len(pure) == len(calls)


def is_expected_to_raise(module: Module, node: ast.AST) -> bool:
    """Return whether a statement stands where an exception is expected, or a time is measured."""
    return any(isinstance(n, ast.With | ast.Try) for n in module.ancestors(node))


def assigned_elements(target: ast.expr) -> list[ast.expr]:
    """Return the parts of a target that an assignment unpacks into, or the target itself."""
    return elements_or_itself(target)
