"""Reads expressions that mean something else than was meant: precedence, reduced axes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, Finding, at_node, finding
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in
from jaxtutor.core.diagnosis.reading.calls import argument, is_in_parentheses, keyword_of
from jaxtutor.core.diagnosis.reading.values import is_number


def is_swallowed(module: Module, node: ast.AST) -> bool:
    """Return whether `&` or `|` took part of a comparison by mistake: `a < b & c`.

    Beside a lone `==` it may be meant: `n & 1 == 0` tests a bit.
    """
    if not isinstance(node, ast.Compare):
        return False
    operands = [node.left, *node.comparators]
    for position, operand in enumerate(operands):
        if not _is_bitwise(operand) or is_in_parentheses(module, operand):
            continue
        is_between = 0 < position < len(operands) - 1
        beside = node.ops[max(position - 1, 0)]
        if is_between or isinstance(beside, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            return True
    return False


def _is_bitwise(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr)


def precedence(context: FailureContext) -> AtNode | None:
    """A comparison without parentheses raised, for its array's truth or its operands' types."""
    found = at_node(context)
    if found is None:
        return None
    around = [found.node, *found.module.ancestors(found.node)]
    swallowed = [n for n in around[:4] if is_swallowed(found.module, n)]
    if not swallowed:
        return None
    return replace(found, place=found.frame.place(swallowed[0]), node=swallowed[0])


_LIBRARIES = ("jax.", "numpy.")
REDUCTIONS = frozenset("sum mean average norm dot vdot max min prod var std".split())


def rows_reduced(node: ast.expr) -> ast.expr | None:
    """Return `x` of `x.mean(axis=1)` and `jnp.sum(x, axis=-1)`, if the axis is not kept."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr not in REDUCTIONS or keyword_of(node, "keepdims"):
        return None
    is_function = len(node.args) == 1
    array = node.args[0] if is_function else node.func.value
    axis = argument(node, None, "axis")
    last = isinstance(axis, ast.Constant) and axis.value == 1
    is_last = isinstance(axis, ast.UnaryOp) and ast.unparse(axis) == "-1"
    return array if last or is_last else None


def swallowed_operands(module: Module, node: ast.Compare) -> Iterator[Finding]:
    """`a < b & c` is `a < (b & c)`; of sets, that may be meant."""
    if is_swallowed(module, node) and _compares_numbers(module, node):
        yield finding(module, node)


def _compares_numbers(module: Module, comparison: ast.Compare) -> bool:
    """Return whether a comparison shows that it is one of numbers or arrays."""
    if len(comparison.ops) > 1 or any(map(is_number, ast.walk(comparison))):
        return True
    libraries = _library_calls(module, module.scope(comparison))
    if any(comparison in each.args for each in libraries):
        return True
    inside = set(ast.walk(comparison))
    if not inside.isdisjoint(libraries):
        return True
    names = names_in(comparison)
    return any(names & _arrays(module, call) for call in libraries)


def _library_calls(module: Module, scope: ast.AST) -> list[ast.Call]:
    """List the calls of JAX and numpy in a function."""
    calls = (node for node in ast.walk(scope) if isinstance(node, ast.Call))
    return [call for call in calls if (module.dotted(call.func) or "").startswith(_LIBRARIES)]


def _arrays(module: Module, call: ast.Call) -> set[str]:
    """Name what a call of a library shows to be arrays: its arguments, and its result."""
    given = {each.id for each in call.args if isinstance(each, ast.Name)}
    holder = module.parents.get(call)
    return given | (bound_names(holder) if isinstance(holder, ast.Assign) else set())
