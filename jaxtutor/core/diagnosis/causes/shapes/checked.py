"""Matches and fixes the pair that a checkified function returns, of which the error comes first."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Module, names_in, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import assigned_value, bound_value, last_name

_CHECKIFY = "jax.experimental.checkify.checkify"


class Checked(AtFrame, frozen=True, kw_only=True):
    """An assignment that takes the result of a checkified function for the function's own."""

    home: Module
    statement: ast.Assign
    target: ast.expr


def checked_result(context: FailureContext) -> Checked | None:
    """The error that a checkified function returns first is used as its result."""
    frame = context.frame
    if frame is None:
        return None
    has_error = any(f.detail.endswith("checkify.Error") for f in frame.names.values())
    made = [(m, s) for m in context.modules.values() for s in _checkified_results(m)]
    if len(made) != 1 or not (has_error or _reads_pair(frame, *made[0])):
        return None
    home, statement = made[0]
    target, call = statement.targets[0], statement.value
    assert isinstance(call, ast.Call)
    taken = home.text(target).strip("()")
    written = f"err, ({taken})" if isinstance(target, ast.Tuple) else f"err, {taken}"
    facts = {"name": home.text(call.func), "argument": written}
    place = home.location(statement)
    return Checked(
        place, facts, "checked", context=context, home=home, statement=statement, target=target
    )


def _reads_pair(frame: FrameContext, home: Module, statement: ast.Assign) -> bool:
    """Return whether the expression at fault reads the pair, or calls what returns it."""
    target, function = statement.targets[0], home.function(statement)
    if frame.node is None or not isinstance(target, ast.Name):
        return False
    results = returned(function) if function is not None else []
    called = {last_name(n.func) for n in calls_in(frame.node)}
    is_result = any(path_of(result) == target.id for result in results)
    is_returned = is_result and getattr(function, "name", "") in called
    return is_returned or (frame.module is home and target.id in names_in(frame.node))


def _checkified_results(module: Module) -> Iterator[ast.Assign]:
    """Yield the assignments of what a checkified function returns."""
    for node in module.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            func = assigned_value(module, node.value.func)
            if isinstance(func, ast.Call) and _is_checkified(module, func):
                yield node


def _is_checkified(module: Module, made: ast.expr) -> bool:
    """Return whether an expression is `checkify(f)`, perhaps inside `jax.jit`."""
    if not isinstance(made, ast.Call) or not made.args:
        return False
    path = module.dotted(made.func)
    is_jit = path == "jax.jit"
    return path == _CHECKIFY or (
        is_jit and _is_checkified(module, bound_value(module, made.args[0]))
    )


def take_error(found: Checked) -> Drafts:
    """Take the error apart from the result, and raise it: the checks stay on."""
    draft = Draft(found.home).replace(found.target, found.facts["argument"])
    if not isinstance(found.target, ast.Tuple):
        draft.certain()
    indent = " " * found.home.span(found.statement).column
    yield draft.lines_after(found.statement, f"{indent}err.throw()")
