"""Matches and mends the pair that a checkified function returns, of which the error comes first."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import bound_value
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module

_CHECKIFY = "jax.experimental.checkify.checkify"


class Checked(AtFrame, frozen=True, kw_only=True):
    """An assignment that takes the result of a checkified function for the function's own."""

    home: Module
    statement: ast.Assign
    target: ast.expr


def checked_result(context: FailureContext) -> Checked | None:
    """The error that a checkified function returns first is used as its result."""
    frame = context.frame
    if frame is None or not any(f.detail.endswith("checkify.Error") for f in frame.names.values()):
        return None
    made = [(m, s) for m in context.modules.values() for s in _calls(m)]
    if len(made) != 1:
        return None
    home, statement = made[0]
    target, call = statement.targets[0], statement.value
    assert isinstance(call, ast.Call)
    taken = home.text(target).strip("()")
    written = f"err, ({taken})" if isinstance(target, ast.Tuple) else f"err, {taken}"
    facts = {"name": home.text(call.func), "argument": written}
    place = home.location(statement)
    return Checked(
        place,
        facts,
        "checked",
        context=context,
        frame=frame,
        home=home,
        statement=statement,
        target=target,
    )


def _calls(module: Module) -> Iterator[ast.Assign]:
    """Yield the assignments of what a checkified function returns."""
    for node in module.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            func = bound_value(module, node.value.func)
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
    indent = " " * found.home.span(found.statement).column
    yield draft.lines_after(found.statement, f"{indent}err.throw()")
