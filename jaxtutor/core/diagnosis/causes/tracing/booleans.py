"""Matches the causes in which Python needs the truth of a traced value."""

from __future__ import annotations

import ast
from itertools import pairwise

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.tracing.static_arguments import is_used_as_size
from jaxtutor.core.diagnosis.engine.call_values import (
    GivenArgument,
    is_jitted,
    jit_of,
    python_argument,
)
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, AtNode, at_call
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.functions import parameter_names

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_DECIDING = (ast.If, ast.IfExp, ast.While, ast.comprehension)
"""What needs the truth of its whole condition, whatever operators are in it."""
_MINMAX = frozenset({"min", "max"})
_ITERATING = frozenset({"sorted", "any", "all", "filter"})


class TruthTest(AtFrame, frozen=True, kw_only=True):
    """A truth test: the expression tested, and the statement or expression that tests it."""

    node: ast.AST
    tester: ast.AST | None

    @property
    def path(self) -> list[ast.AST]:
        """The expression and all nodes around it, nearest first."""
        return [self.node, *self.module.ancestors(self.node)]

    def within(self, kind: type[ast.AST]) -> ast.AST | None:
        """Find an expression of a kind between the value and the statement that tests it."""
        for node in self.path:
            if isinstance(node, kind):
                return node
            if node is self.tester or isinstance(node, ast.stmt):
                return None
            is_inner = isinstance(node, ast.BoolOp | ast.UnaryOp | ast.Compare)
            if not is_inner and node is not self.node:
                return None
        return None


class Matched(AtFrame, frozen=True, kw_only=True):
    """A `match` on a traced value."""

    statement: ast.Match


def _frame(context: FailureContext) -> FrameContext | None:
    """Return the innermost frame if Python itself converted a tracer there to a bool."""
    is_many = "truth value of an array" in context.message and context.failure.tracer is not None
    if not is_many and "boolean conversion" not in context.message:
        return None
    by_python = context.raised_in("Tracer.__bool__") or not context.failure.jax_frames
    return context.frame if by_python and context.node is not None else None


def _test(context: FailureContext) -> TruthTest | None:
    frame = _frame(context)
    node = frame.node if frame is not None else None
    if frame is None or node is None:
        return None
    if isinstance(node, ast.IfExp | ast.If | ast.While | ast.Assert):
        node = node.test
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    return TruthTest(
        context=context, outer_frame=frame, node=node, tester=find_tester(frame.module, node)
    )


def find_tester(
    module: Module, node: ast.AST, through: tuple[str, ...] = ("bool",)
) -> ast.AST | None:
    """Find what tests a value, through `not`, `and`, `or` and calls of some builtins."""
    path = [node, *module.ancestors(node)]
    for inner, outer in pairwise(path):
        if getattr(outer, "test", None) is inner:
            return outer
        if isinstance(outer, ast.comprehension) and inner in outer.ifs:
            return outer
        is_call = isinstance(outer, ast.Call) and getattr(outer.func, "id", "") in through
        if not isinstance(outer, ast.BoolOp | ast.UnaryOp) and not is_call:
            break
    return None


def _test_at(test: TruthTest, node: ast.AST) -> TruthTest:
    return replace(test, place=test.frame.place(node))


def _with_condition(test: TruthTest, condition: ast.AST) -> TruthTest:
    return replace(test, facts={"condition": test.module.text(condition)})


# ---------------------------------------------------------------- statements and expressions


def chained_comparison(context: FailureContext) -> TruthTest | None:
    """`a <= t < b` needs the truth of the first comparison; of an `if`, the `if` is at fault."""
    test = _test(context)
    if test is None or isinstance(test.tester, _DECIDING):
        return None
    is_chain = isinstance(test.node, ast.Compare) and len(test.node.ops) > 1
    return _test_at(test, test.node) if is_chain else None


def membership(context: FailureContext) -> TruthTest | None:
    """`x in container` compares, and needs the truth of each comparison."""
    test = _test(context)
    if test is None or _is_search(test.node):
        return test
    ops = test.node.ops if isinstance(test.node, ast.Compare) else []
    is_in = any(isinstance(op, ast.In | ast.NotIn) for op in ops)
    return _test_at(test, test.node) if is_in else None


def _is_search(node: ast.AST) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in ("index", "count", "remove")


def in_match(context: FailureContext) -> Matched | None:
    """`match` compares the subject with ==, and needs the truth of the result."""
    frame = _frame(context)
    if frame is None or frame.node is None:
        return None
    path = [frame.node, *frame.module.ancestors(frame.node)]
    statement = next((n for n in path if isinstance(n, ast.Match)), None)
    if statement is None or not any(isinstance(n, ast.pattern) for n in path):
        return None
    facts = {"condition": frame.module.text(statement.subject)}
    return Matched(None, facts, context=context, outer_frame=frame, statement=statement)


def in_assert(context: FailureContext) -> TruthTest | None:
    """`assert` tests its condition."""
    test = _test(context)
    return test if test is not None and isinstance(test.tester, ast.Assert) else None


def in_while(context: FailureContext) -> TruthTest | None:
    """A Python `while` tests its condition before every round."""
    test = _test(context)
    if test is None or not isinstance(test.tester, ast.While):
        return None
    return _with_condition(test, test.tester.test)


def or_default(context: FailureContext) -> AtNode | None:
    """`x or default` tests the truth of x where only its presence is meant."""
    test = _test(context)
    outer = test.within(ast.BoolOp) if test is not None else None
    if test is None or not isinstance(outer, ast.BoolOp) or not isinstance(outer.op, ast.Or):
        return None
    if test.tester is not None or not isinstance(outer.values[0], ast.Name | ast.Attribute):
        return None
    if (context.failure.tracer or "bool").lstrip("~").startswith("bool"):
        return None
    return AtNode(test.frame.place(outer), context=context, outer_frame=test.frame, node=outer)


def in_and_or(context: FailureContext) -> TruthTest | None:
    """`and` and `or` test their left side; in an `if` with one traced side the `if` is at fault."""
    test = _test(context)
    outer = test.within(ast.BoolOp) if test is not None else None
    if test is None or not isinstance(outer, ast.BoolOp):
        return None
    traced = [v for v in outer.values if test.frame.is_traced(v)]
    return None if test.tester is not None and len(traced) < 2 else _test_at(test, outer)


def in_not(context: FailureContext) -> TruthTest | None:
    """`not` tests its operand; in the condition of an `if`, the `if` is at fault."""
    test = _test(context)
    if test is None or isinstance(test.tester, _DECIDING) or _flag(test) is not None:
        return None
    around = (n for n in test.path[:2] if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not))
    outer = next(around, None)
    return _test_at(test, outer) if outer is not None else None


def in_ternary(context: FailureContext) -> TruthTest | None:
    """`a if c else b` tests c."""
    test = _test(context)
    if test is None or not isinstance(test.tester, ast.IfExp) or _flag(test) is not None:
        return None
    return _with_condition(test, test.tester.test)


def early_return(context: FailureContext) -> TruthTest | None:
    """A `return` or `break` in a Python loop is guarded by a traced condition."""
    test = _test(context)
    if test is None or not isinstance(test.tester, ast.If):
        return None
    leaves = any(
        isinstance(n, ast.Return | ast.Break)
        for s in test.tester.body
        for n in _inner_statements(s)
    )
    is_in_loop = loop_around(test.module, test.tester) is not None
    return _with_condition(test, test.tester.test) if leaves and is_in_loop else None


def _inner_statements(statement: ast.stmt) -> list[ast.AST]:
    return [statement] if isinstance(statement, _LOOPS) else list(ast.walk(statement))


def loop_around(module: Module, node: ast.AST) -> ast.For | ast.While | ast.AsyncFor | None:
    """Find the innermost loop around a node, within its function."""
    for outer in module.ancestors(node):
        if isinstance(outer, _LOOPS):
            return outer
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            return None
    return None


def in_recursion(context: FailureContext) -> TruthTest | None:
    """A function calls itself unless a traced condition holds."""
    test = _test(context)
    if test is None or not isinstance(test.tester, ast.If | ast.IfExp):
        return None
    function = test.frame.function
    if function is None or isinstance(function, ast.Lambda):
        return None
    calls = list(calls_in(function))
    names = {c.func.id for c in calls if isinstance(c.func, ast.Name)}
    return _with_condition(test, test.node) if function.name in names else None


def in_if(context: FailureContext) -> TruthTest | None:
    """`if` and `elif` test their condition, and so does the `if` of a comprehension."""
    test = _test(context)
    if test is None or not isinstance(test.tester, ast.If | ast.comprehension):
        return None
    tester = test.tester
    return _with_condition(test, tester.test if isinstance(tester, ast.If) else test.node)


# ---------------------------------------------------------------- builtins


def builtin_minmax(context: FailureContext) -> AtCall | None:
    """The builtins min and max compare their arguments."""
    return _builtin(context, _MINMAX)


def builtin_sorted(context: FailureContext) -> AtCall | None:
    """The builtins sorted, any, all and filter, and list.sort, test or compare their items."""
    return _builtin(context, _ITERATING) or _list_sort(context) or _filtered(context)


def _filtered(context: FailureContext) -> AtCall | None:
    """list() or tuple() goes through a filter."""
    call = at_call(context, {"name": "filter"}) if _frame(context) is not None else None
    inner = call.node.args[0] if call is not None and call.node.args else None
    is_filter = isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "filter"
    return call if is_filter else None


def _builtin(context: FailureContext, names: frozenset[str]) -> AtCall | None:
    call = at_call(context) if _frame(context) is not None else None
    if call is None or not isinstance(call.node.func, ast.Name):
        return None
    name, fact = call.node.func.id, call.frame.fact(call.node.func)
    is_plain = name in names and (fact is None or fact.detail == f"builtins.{name}")
    is_alias = fact is not None and fact.detail in {f"builtins.{n}" for n in names}
    return replace(call, facts={"name": name}) if is_plain or is_alias else None


def _list_sort(context: FailureContext) -> AtCall | None:
    call = at_call(context, {"name": "sort"}) if _frame(context) is not None else None
    if call is None or not isinstance(call.node.func, ast.Attribute):
        return None
    holder = call.frame.kind(call.node.func.value)
    return call if call.node.func.attr == "sort" and holder in ("list", None) else None


# ---------------------------------------------------------------- flags


class Flag(AtFrame, frozen=True, kw_only=True):
    """A flag that was traced; `test` is where Python tests it, if that is in the learner's code."""

    argument: str
    test: TruthTest | None


def config_flag(context: FailureContext) -> Flag | None:
    """A Python flag that was passed to the traced function is tested like a value."""
    given = _given_flag(context)
    if given is not None:
        return given
    test = _test(context)
    flag = _flag(test) if test is not None else None
    if test is None or flag is None:
        return None
    facts = {"argument": flag, "name": flag}
    return Flag(None, facts, context=context, outer_frame=test.frame, argument=flag, test=test)


def _given_flag(context: FailureContext) -> Flag | None:
    """Return the argument at fault if the call passed True, False or a string for it.

    A number that the function also uses as a size, and tests, has to be static too. Who asks for
    its truth does not matter: an `if`, a `not`, or a library.
    """
    given = python_argument(context)
    if given is None or context.frame is None:
        return None
    is_size = _is_size(given)
    if given.kind not in ("bool", "str") and not is_size:
        return None
    if len(context.failure.origin) > (2 if context.library or is_size else 1):
        return None
    if "boolean conversion" not in context.message:
        return None
    facts = {"argument": given.name, "name": given.name, "condition": given.name}
    name = given.frame.record.function
    facts["function"] = "" if name.startswith("<") else name
    test = _test(context)
    # In a layer or in a library's call, nothing has to change.
    is_inside = context.frame.function is not given.frame.function or not is_jitted(given.frame)
    return Flag(
        jit_of(given) if is_inside else None, facts, context=context, argument=given.name, test=test
    )


def _is_size(given: GivenArgument) -> bool:
    function = given.frame.function
    return given.kind == "number" and function is not None and is_used_as_size(function, given.name)


def _flag(test: TruthTest) -> str | None:
    """Name the parameter that is a flag: itself an argument, and only ever tested or compared."""
    if not isinstance(test.tester, ast.If | ast.IfExp | ast.While):
        return None
    node = test.node
    name = node.left if isinstance(node, ast.Compare) and len(node.ops) == 1 else node
    if isinstance(node, ast.Compare) and not _is_equality_with_constant(node):
        return None
    if isinstance(name, ast.Attribute) and name is node:
        return _flag_in_settings(test, name)
    if not isinstance(name, ast.Name) or name.id not in _parameter_names(test.frame):
        return None
    return name.id if _is_flag(test, name.id) else None


def _flag_in_settings(test: TruthTest, node: ast.Attribute) -> str | None:
    """Name the argument that holds settings, when one of its bools is only ever tested."""
    failure, function = test.context.failure, test.frame.function
    if not isinstance(node.value, ast.Name) or node.value.id not in _parameter_names(test.frame):
        return None
    if (failure.tracer or "").lstrip("~") != "bool[]" or function is None:
        return None
    if len(failure.origin) > 1:  # computed by a property, not given
        return None
    same = [n for n in ast.walk(function) if isinstance(n, ast.Attribute)]
    same = [n for n in same if path_of(n) == path_of(node)]
    return node.value.id if all(_is_condition(test.module, n) for n in same) else None


def _is_equality_with_constant(node: ast.Compare) -> bool:
    return isinstance(node.ops[0], ast.Eq | ast.NotEq) and isinstance(
        node.comparators[0], ast.Constant
    )


def _parameter_names(frame: FrameContext) -> set[str]:
    return set(parameter_names(frame.function))


def _is_flag(test: TruthTest, name: str) -> bool:
    fact, function = test.frame.fact(name), test.frame.function
    if fact is None or fact.detail.lstrip("~") != "bool[]" or not isinstance(test.node, ast.Name):
        return False
    used = ast.walk(function) if function is not None else ()
    uses = [n for n in used if isinstance(n, ast.Name) and n.id == name]
    return function is not None and all(_is_condition(test.module, n) for n in uses)


def _is_condition(module: Module, node: ast.AST) -> bool:
    parent = module.parents.get(node)
    if isinstance(parent, ast.UnaryOp | ast.BoolOp | ast.Compare):
        return _is_condition(module, parent)
    return getattr(parent, "test", None) is node
