"""Finds dropped results of the learner's own functions that set elements of an array."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from jaxtutor.core.diagnosis.causes.training.updates import (
    PURE_BUILTINS,
    PURE_HOMES,
    is_expected_to_raise,
    is_read_below,
    is_step,
    loops_around,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.updates import at_update
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.source import Definition, Module, names_in, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_in
from jaxtutor.core.diagnosis.reading.functions import is_docstring, parameter_names, returned
from jaxtutor.core.diagnosis.reading.names import is_assignment_to
from jaxtutor.core.diagnosis.reading.other_files import function_called

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.Return)


class DroppedArray(CallFinding, frozen=True, kw_only=True):
    """A call that returns a new version of `array`, in a statement of its own."""

    array: str


def read_own_updates(modules: Mapping[str, Module]) -> Iterator[DroppedArray]:
    """`set_boundary(u)`, a statement of its own, returns the array with other elements."""
    for module in modules.values():
        for node in module.nodes:
            call = node.value if isinstance(node, ast.Expr) else None
            array = _updated_argument(modules, module, call) if isinstance(call, ast.Call) else None
            if array is not None and isinstance(call, ast.Call):
                facts = {"name": array, "function": module.text(call.func)}
                yield DroppedArray(None, facts, "own", module=module, node=call, array=array)


def keep_array(found: DroppedArray) -> Drafts:
    """Assign the array that a function returns to the one that it was made from."""
    yield Draft(found.module).before(found.node, f"{found.array} = ")


def _updated_argument(modules: Mapping[str, Module], module: Module, call: ast.Call) -> str | None:
    """Return the argument of which a call returns a new version that nothing keeps."""
    called = function_called(modules, module, call.func)
    if called is None:
        return None
    home, function = called
    parameter = _set_and_returned(home, function)
    if parameter is None:
        return None
    given = path_of(argument_for(function, call, parameter))
    if given is None or is_expected_to_raise(module, call) or _is_trial(module, call, given):
        return None
    is_compiled = any(item.function is function for item in applied(home))
    is_lost = not is_compiled and _is_read_again(module, call, given)
    return given if is_lost or is_step(module, call, given) else None


def _set_and_returned(module: Module, function: Definition) -> str | None:
    """Return the parameter of which a function returns a copy with other elements, and no more."""
    body = [s for s in function.body if not is_docstring(s)]
    plain = all(isinstance(s, _STATEMENTS) for s in body)
    ends = [e for e in returned(function) if e is not None]
    if not plain or len(ends) != 1 or not _only_computes(module, body):
        return None
    names = set(parameter_names(function))
    roots = {path_of(root) for root in _roots(function, ends[0])}
    has_update = any(at_update(n) is not None for s in body for n in ast.walk(s))
    (root,) = roots if len(roots) == 1 else (None,)
    return root if has_update and root in names else None


def _only_computes(module: Module, body: list[ast.stmt]) -> bool:
    """Return whether statements bind plain names, and call only what has no effect."""
    for node in (n for statement in body for n in ast.walk(statement)):
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(node, ast.Call) and at_update(node) is None:
            path = module.dotted(node.func) or path_of(node.func) or ""
            if not path.startswith(PURE_HOMES) and path not in PURE_BUILTINS:
                return False
    return True


def _roots(function: Definition, value: ast.expr) -> Iterator[ast.expr]:
    """Yield what an array is a copy of, through the names that the function binds."""
    seen, left = set[str](), [value]
    names = set(parameter_names(function))
    while left:
        node = left.pop()
        while (update := at_update(node)) is not None:
            node = update.array
        name = node.id if isinstance(node, ast.Name) else None
        bound = [n for n in own_nodes(function) if is_assignment_to(n, name)] if name else []
        if name is None or (name in names and not bound) or not bound:
            yield node
        elif name not in seen:
            seen.add(name)
            left += [n.value for n in bound if isinstance(n, ast.Assign)]
            if name in names:  # what was passed is where its first version comes from
                yield node


def _is_trial(module: Module, call: ast.Call, name: str) -> bool:
    """Return whether a call is measured, or a test asserts that the old array is left alone."""
    scope = module.scope(call)
    calls = (n for n in calls_in(scope))
    asserted = (n for n in ast.walk(scope) if isinstance(n, ast.Assert))
    is_timed = any((module.dotted(c.func) or "").startswith(("time.", "timeit.")) for c in calls)
    return is_timed or any(name in names_in(n) for n in asserted)


def _is_read_again(module: Module, call: ast.Call, name: str) -> bool:
    """Return whether the old array is read after a call, in this round of a loop or the next."""
    return is_read_below(module, call, name) or any(
        _is_read_first(loop, name, call) for loop in loops_around(module, call)
    )


def _is_read_first(loop: ast.AST, name: str, call: ast.Call) -> bool:
    """Return whether a round reads a name as the round before left it."""
    for statement in getattr(loop, "body", ()):
        if any(n is call for n in ast.walk(statement)):
            return False
        if name in names_in(statement):
            return True
        if any(is_assignment_to(n, name) for n in ast.walk(statement)):
            return False
    return False
