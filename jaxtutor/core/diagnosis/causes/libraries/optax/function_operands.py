"""Matches and fixes arithmetic on a function, such as `-schedule` for a schedule of Optax."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.libraries.optax import optimizers
from jaxtutor.core.diagnosis.causes.libraries.optax.rates import OPTIMIZERS
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import rewrite
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, AtNode
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.library_calls import given_values
from jaxtutor.core.diagnosis.reading.values import operands

_TAKES_SCHEDULE = OPTIMIZERS | {"optax.scale_by_schedule", "optax.scale_by_learning_rate"}
_SCHEDULES = ("_schedule", "join_schedules", "exponential_decay")


class FunctionOperand(AtNode, frozen=True, kw_only=True):
    """Arithmetic on functions; `whole` is all of it, and `written` a function of the results."""

    whole: ast.expr
    written: str


def uncalled(context: FailureContext) -> AtFrame | None:
    """A function is used where what it returns belongs: in arithmetic, or by an optimizer."""
    return _function_operand(context) or optimizers.not_called(context)


def call_or_wrap(found: AtFrame) -> Drafts:
    """Call the function, or write one that computes with the results where Optax takes one."""
    if isinstance(found, optimizers.NotCalled):
        yield from optimizers.call_it(found)
    elif isinstance(found, FunctionOperand):
        yield from _function_of_results(found)


def _function_operand(context: FailureContext) -> FunctionOperand | None:
    """Match arithmetic on a schedule, on several functions, or with one operand."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.BinOp | ast.UnaryOp):
        return None
    if _REFUSED.search(context.message) is None:
        return None
    whole: ast.expr = node
    for outer in frame.module.ancestors(node):
        if not isinstance(outer, ast.BinOp | ast.UnaryOp):
            break
        whole = outer
    functions = tuple(n for n in operands(whole) if frame.kind(n) == "function")
    is_schedule = any(_is_schedule(context, frame, n) for n in functions)
    if not functions or not (is_schedule or len(functions) > 1 or isinstance(node, ast.UnaryOp)):
        return None
    text, takes = frame.module.text, "step" if is_schedule else "…"
    parts: dict[ast.AST, str] = {n: f"{text(n)}({takes})" for n in functions}
    called = rewrite(frame.module, whole, parts)
    facts = {
        "name": text(functions[0]),
        "function": f"the operation `{text(whole)}`",
        "argument": f"lambda step: {called}" if is_schedule else called,
    }
    return FunctionOperand(
        frame.place(whole),
        facts,
        "schedule" if is_schedule else "operand",
        context=context,
        node=node,
        whole=whole,
        written=facts["argument"],
    )


_REFUSED = re.compile(r"(?:bad operand type for unary|unsupported operand type).*'function'")


def _is_schedule(context: FailureContext, frame: FrameContext, node: ast.expr) -> bool:
    """Return whether a name holds a schedule that Optax made."""
    made = given_values(context, frame, node)[-1]
    paths = [m.dotted(made.func) for m in context.modules.values() if isinstance(made, ast.Call)]
    return any((p or "").startswith("optax.") and (p or "").endswith(_SCHEDULES) for p in paths)


def _function_of_results(found: FunctionOperand) -> Drafts:
    outer = found.module.parents.get(found.whole)
    if isinstance(outer, ast.keyword):
        outer = found.module.parents.get(outer)
    is_taken = isinstance(outer, ast.Call) and found.frame.callee(outer) in _TAKES_SCHEDULE
    if found.form == "schedule" and is_taken:
        yield Draft(found.module).certain().replace(found.whole, found.written)


RULES = (Rule("function-not-called", raised(uncalled), call_or_wrap),)
