"""Makes a program report results that it leaves in no variable of its own.

They are the values of statements that are only an expression, such as `train_step(state)`, and the
variables of functions, when these return: of those that the program calls itself, such as `main`,
and of those through which the exception passed that is to be fixed. Only the runs that try an edit
are rewritten, never the learner's own run.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from types import CodeType, FunctionType, ModuleType
from typing import Any

from jaxtutor.core.data.facts import KeptValue
from jaxtutor.core.judging.evidence import RETURNED, scope_name
from jaxtutor.core.judging.function_paths import functions

VALUE, NAMES, RESULT = "__jaxtutor_value__", "__jaxtutor_names__", "__jaxtutor_result__"
"""The names by which a rewritten program calls the functions below."""

MOST_EXPRESSIONS = 60
"""Values of expressions that are kept; as many variables fit in behind them."""
MOST_VARIABLES = 60
MOST_BYTES = 1 << 22

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class KeptValues:
    """Keeps what a rewritten program reports: of a variable, its value at the last return."""

    def __init__(self) -> None:
        self._expressions: list[KeptValue] = []
        self._variables: dict[str, KeptValue] = {}

    @property
    def values(self) -> list[KeptValue]:
        """The values of expressions, and then those of variables."""
        return [*self._expressions, *self._variables.values()]

    def compile(self, source: str, file: str, paths: Collection[str] = ()) -> CodeType:
        """Compile a program that reports its results; each expression keeps its place.

        `paths` are further functions that report their variables.
        """
        tree = ast.parse(source, file)
        called = _called_functions(tree)
        _report_expressions(tree)
        for function in called:
            _report_expressions(function)
        return self._compile(tree, file, {*paths, *(function.name for function in called)})

    def compile_module(self, source: str, file: str, paths: Collection[str]) -> CodeType:
        """Compile another file of the program, in which these functions report their variables."""
        return self._compile(ast.parse(source, file), file, paths)

    def _compile(self, tree: ast.Module, file: str, paths: Collection[str]) -> CodeType:
        for path, function in list(functions(tree)):
            if path in paths and not _is_generator(function):
                name = scope_name(path, file)
                _report_result(function, name)
                _report_names(function, name)
        return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)

    def install(self) -> None:
        """Define the names that rewritten programs need, for all of their files."""
        hooks: dict[str, Callable[..., Any]] = {
            VALUE: self._keep_value,
            NAMES: self._keep_names,
            RESULT: self._keep_result,
        }
        for name, hook in hooks.items():
            setattr(builtins, name, hook)

    def _keep_value(self, value: Any, line: int) -> Any:
        self._keep("", line, value)
        return value

    def _keep_result(self, value: Any, function: str, line: int) -> Any:
        self._keep(f"{function}.{RETURNED}", line, value)
        return value

    def _keep_names(self, function: str, line: int) -> None:
        if sys.exc_info()[0] is not None:
            return  # an exception ends the function
        for name, value in list(sys._getframe(1).f_locals.items()):
            if not name.startswith(("_", ".")):
                self._keep(f"{function}.{name}", line, value)
                for attribute, held in _attributes(value):
                    self._keep(f"{function}.{name}.{attribute}", line, held)

    def _keep(self, name: str, line: int, value: Any) -> None:
        if "jax" not in sys.modules or not self._has_room(name):
            return  # only the program itself may import jax
        from jaxtutor.worker import values
        from jaxtutor.worker.internals import tracing

        with suppress(Exception):  # the learner's own classes may do anything
            if not values.is_data(value) or not _is_small(value):
                return
            if not name:
                self._expressions.append(KeptValue(name, line, values.to_tree(value)))
            elif not tracing.is_tracing():  # a function runs there each time that it is traced
                self._variables[name] = KeptValue(name, line, values.to_tree(value))

    def _has_room(self, name: str) -> bool:
        if not name:
            return len(self._expressions) < MOST_EXPRESSIONS
        return name in self._variables or len(self._variables) < MOST_VARIABLES


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _inner_nodes(function))


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """List the attributes of an object that is neither a function, a class nor a module."""
    if isinstance(value, type | ModuleType | FunctionType):
        return []
    with suppress(Exception):  # the learner's own classes may do anything
        return list(vars(value).items())
    return []


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
        if not _is_generator(node)
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


def _report_result(function: ast.FunctionDef, name: str) -> None:
    """Pass what a function returns to a hook."""
    for node in list(_inner_nodes(function)):
        if isinstance(node, ast.Return) and node.value is not None:
            given = [node.value, ast.Constant(name), ast.Constant(function.lineno)]
            node.value = ast.Call(ast.Name(RESULT, ast.Load()), given, [])


def _report_names(function: ast.FunctionDef, name: str) -> None:
    """Call a hook when a function returns; its docstring stays first."""
    first = function.body[0]
    is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    before, body = function.body[:is_documented], function.body[is_documented:]
    if body:
        given: list[ast.expr] = [ast.Constant(name), ast.Constant(function.lineno)]
        report = ast.Expr(ast.Call(ast.Name(NAMES, ast.Load()), given, []))
        function.body = [*before, ast.Try(body, [], [], [report])]
