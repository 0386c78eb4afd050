"""Matches and fixes recursion that does not end while it is traced."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.conditions import negated, truth
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, is_call_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names


def recursion(context: FailureContext) -> AtCall | None:
    """A recursive function stops at a traced condition, so tracing it never stops."""
    if context.failure.transformation is None:
        return None
    for frame in reversed(context.frames):
        node, path = frame.node, frame.callee(frame.node)
        if isinstance(node, ast.Call) and path in ("jax.lax.cond", "jax.lax.switch"):
            name = frame.record.function
            facts = {"function": name if name[0] != "<" else ""}
            return AtCall(frame.place(node), facts, context=context, outer_frame=frame, node=node)
    return None


def endless_scan(context: FailureContext) -> AtCall | None:
    """The combining function of an associative scan returns another length than it gets."""
    for frame in reversed(context.frames):
        node = frame.node
        if isinstance(node, ast.Call) and frame.callee(node) == "jax.lax.associative_scan":
            given = argument(node, 1, "elems")
            facts = {"name": frame.module.text(given)} if given is not None else {}
            return AtCall(frame.place(node), facts, context=context, outer_frame=frame, node=node)
    return None


def loop_for_recursion(found: AtCall) -> Drafts:
    """Write a function that ends in a cond with itself in one branch as a while_loop."""
    node, module = found.node, found.module
    if len(node.args) < 3:
        return
    function, statement = module.function(node), module.parents.get(node)
    test, then, other, *operands = node.args
    is_only = isinstance(function, ast.FunctionDef) and [
        s for s in function.body if not isinstance(s, ast.Expr)
    ] == [statement]
    if not is_only or not isinstance(function, ast.FunctionDef):
        return
    if not isinstance(then, ast.Lambda) or not isinstance(other, ast.Lambda):
        return
    names = [getattr(operand, "id", None) for operand in operands]
    if any(parameter_names(branch) != names for branch in (then, other)):
        return
    if is_call_of(then.body, function.name):
        yield _as_loop(module, function, node, (test, other.body, then.body, False))
    elif is_call_of(other.body, function.name):
        yield _as_loop(module, function, node, (test, then.body, other.body, True))


def _as_loop(
    module: Module,
    function: ast.FunctionDef,
    node: ast.Call,
    parts: tuple[ast.expr, ast.expr, ast.expr, bool],
) -> Draft | None:
    test, result, again, is_negated = parts
    names = parameter_names(function)
    draft, statement = Draft(module), module.statement(node)
    condition = negated(draft, test) if is_negated else truth(draft, test)
    given = again.args if isinstance(again, ast.Call) else []
    if statement is None or condition is None or len(given) != len(names):
        return None
    if any(isinstance(a, ast.Starred) for a in given):
        return None
    indent, listed = indent_of(module, statement), ", ".join(names)
    keep, step = fresh_name(module, "keep_going"), fresh_name(module, "one_round")
    is_one = len(names) == 1
    state = names[0] if is_one else fresh_name(module, "state", "carry")
    apart = [] if is_one else [f"    {listed} = {state}"]
    new = ", ".join(module.text(a) for a in given)
    start = listed if is_one else f"({listed})"
    lines = [
        f"def {keep}({state}):",
        *apart,
        f"    return {condition}",
        "",
        f"def {step}({state}):",
        *apart,
        f"    return {new}",
        "",
        f"{listed} = {draft.name('jax.lax.while_loop')}({keep}, {step}, {start})",
        f"return {module.text(result)}",
    ]
    text = "\n".join(indent + line if line else "" for line in lines)
    return draft.replace(statement, text.lstrip())


RULES = (
    Rule("associative-scan-over-parts", raised(endless_scan)),
    Rule("recursion-under-trace", raised(recursion), loop_for_recursion),
)
