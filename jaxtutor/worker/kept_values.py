"""Makes a program report results that it leaves in no variable of its own.

They are the values of statements that are only an expression, such as `train_step(state)`, and the
variables of the functions that the program calls itself, such as `main`, when these return. Only
the runs that try an edit are rewritten, never the learner's own run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType
from typing import Any

from jaxtutor.core.data.facts import KeptValue

VALUE, NAMES = "__jaxtutor_value__", "__jaxtutor_names__"
"""The names by which a rewritten program calls the functions below."""

MOST_EXPRESSIONS = 60
"""Values of expressions that are kept; as many variables fit in behind them."""
MOST_VALUES = 120
MOST_BYTES = 1 << 22

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class KeptValues:
    """Keeps what a rewritten program reports."""

    def __init__(self) -> None:
        self.values: list[KeptValue] = []

    def compile(self, source: str, file: str) -> CodeType:
        """Compile a program that reports its results; each expression keeps its place."""
        tree = ast.parse(source, file)
        functions = _called_functions(tree)
        _report_expressions(tree)
        for function in functions:
            _report_expressions(function)
            _report_names(function)
        ast.fix_missing_locations(tree)
        return compile(tree, file, "exec", dont_inherit=True)

    def hooks(self) -> dict[str, Any]:
        """Return the names that a rewritten program needs."""
        return {VALUE: self._keep_value, NAMES: self._keep_names}

    def _keep_value(self, value: Any, line: int) -> None:
        self._keep("", line, value)

    def _keep_names(self, function: str, line: int) -> None:
        if sys.exc_info()[0] is not None:
            return  # an exception ends the function
        for name, value in list(sys._getframe(1).f_locals.items()):
            if not name.startswith(("_", ".")):
                self._keep(f"{function}.{name}", line, value)

    def _keep(self, name: str, line: int, value: Any) -> None:
        most = MOST_VALUES if name else MOST_EXPRESSIONS
        if len(self.values) >= most or "jax" not in sys.modules:
            return  # only the program itself may import jax
        from jaxtutor.worker import values

        with suppress(Exception):  # the learner's own classes may do anything
            if values.is_data(value) and _is_small(value):
                self.values.append(KeptValue(name, line, values.to_tree(value)))


def _is_small(value: Any) -> bool:
    """Return whether a run can report a value: it has no tracers, and is not too large."""
    import jax

    leaves = jax.tree.leaves(value)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return False
    return sum(getattr(leaf, "nbytes", 0) for leaf in leaves) <= MOST_BYTES


def _called_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """List the functions that the statements at the top of a program call by name."""
    top = [node for statement in tree.body for node in _own_nodes(statement)]
    called = {n.func.id for n in top if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in called and not node.decorator_list
        if not any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _inner_nodes(node))
    ]


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what is in it, outside of the functions and classes that it defines."""
    if not isinstance(node, Function | ast.ClassDef):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _own_nodes(child)


def _inner_nodes(scope: ast.Module | ast.FunctionDef) -> Iterator[ast.AST]:
    for statement in scope.body:
        yield from _own_nodes(statement)


def _report_expressions(scope: ast.Module | ast.FunctionDef) -> None:
    """Pass the value of each statement that is only an expression to a hook."""
    for node in list(_inner_nodes(scope)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            line = ast.Constant(node.lineno)
            node.value = ast.Call(ast.Name(VALUE, ast.Load()), [node.value, line], [])


def _report_names(function: ast.FunctionDef) -> None:
    """Call a hook when a function returns; its docstring stays first."""
    first = function.body[0]
    is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    before, body = function.body[:is_documented], function.body[is_documented:]
    if body:
        given: list[ast.expr] = [ast.Constant(function.name), ast.Constant(function.lineno)]
        report = ast.Expr(ast.Call(ast.Name(NAMES, ast.Load()), given, []))
        function.body = [*before, ast.Try(body, [], [], [report])]
