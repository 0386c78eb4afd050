"""Owns the causes in which Python asks a traced value for a bool."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext, Match, parameters
from jaxtutor.core.diagnosis.source import Module, path_of

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_MINMAX = frozenset({"min", "max"})
_ASKING = frozenset({"sorted", "any", "all", "filter"})


def _level(context: FailureContext) -> FrameContext | None:
    """Give the learner's frame if Python itself asked there for the bool of a tracer."""
    of_many = "truth value of an array" in context.message and context.failure.tracer is not None
    known = context.error == "TracerBoolConversionError" or (
        context.error == "ValueError" and of_many
    )
    asked = known and (context.raised_in("Tracer.__bool__") or not context.failure.jax_frames)
    return context.frame if asked and context.node is not None else None


class TruthTest:
    """The place of a truth test: the expression asked, and the statement that asks."""

    def __init__(self, frame: FrameContext, node: ast.AST) -> None:
        self.frame = frame
        self.node = node
        self.path = [node, *frame.module.ancestors(node)]
        self.asker = self._asker()

    def _asker(self) -> ast.AST | None:
        """Find what tests the value, through `not`, `and`, `or`, bool() and comparisons' links."""
        for inner, outer in zip(self.path, self.path[1:], strict=False):
            if getattr(outer, "test", None) is inner:
                return outer
            if isinstance(outer, ast.comprehension) and inner in outer.ifs:
                return outer
            if not isinstance(outer, ast.BoolOp | ast.UnaryOp) and not _is_bool_call(outer):
                break
        return None

    def within(self, kind: type[ast.AST]) -> ast.AST | None:
        """Find an expression of a kind between the value and the statement that tests it."""
        for node in self.path:
            if isinstance(node, kind):
                return node
            if node is self.asker or isinstance(node, ast.stmt):
                return None
            if (
                not isinstance(node, ast.BoolOp | ast.UnaryOp | ast.Compare)
                and node is not self.node
            ):
                return None
        return None


def _is_bool_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bool"


def _test(context: FailureContext) -> TruthTest | None:
    frame = _level(context)
    if frame is None or frame.node is None:
        return None
    node = frame.node
    if isinstance(node, ast.IfExp | ast.If | ast.While | ast.Assert):
        node = node.test
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    return TruthTest(frame, node)


# ---------------------------------------------------------------- matchers


def chained_comparison(context: FailureContext) -> Match | None:
    """`a <= t < b` asks the first comparison for its bool."""
    test = _test(context)
    if test is None or isinstance(test.asker, ast.While):
        return None
    chained = isinstance(test.node, ast.Compare) and len(test.node.ops) > 1
    return Match(test.frame.place(test.node)) if chained else None


def membership(context: FailureContext) -> Match | None:
    """`x in container` compares and asks."""
    test = _test(context)
    if test is not None and _is_search(test.node):
        return Match()
    if test is None or not isinstance(test.node, ast.Compare):
        return None
    is_in = any(isinstance(op, ast.In | ast.NotIn) for op in test.node.ops)
    return Match(test.frame.place(test.node)) if is_in else None


def _is_search(node: ast.AST) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in ("index", "count", "remove")


def in_match(context: FailureContext) -> Match | None:
    """`match` compares the subject with == and asks."""
    frame = _level(context)
    if frame is None or frame.node is None:
        return None
    path = [frame.node, *frame.module.ancestors(frame.node)]
    statement = next((n for n in path if isinstance(n, ast.Match)), None)
    is_pattern = any(isinstance(n, ast.pattern) for n in path)
    if statement is None or not is_pattern:
        return None
    return Match(facts={"condition": frame.module.text(statement.subject)})


def in_assert(context: FailureContext) -> Match | None:
    """`assert` asks its condition."""
    test = _test(context)
    return Match() if test is not None and isinstance(test.asker, ast.Assert) else None


def builtin_minmax(context: FailureContext) -> Match | None:
    """The builtins min and max compare their arguments and ask."""
    return _builtin(context, _MINMAX)


def builtin_sorted(context: FailureContext) -> Match | None:
    """The builtins sorted, any, all, filter and list.sort ask about their items."""
    return _builtin(context, _ASKING) or _list_sort(context) or _filtered(context)


def _filtered(context: FailureContext) -> Match | None:
    """A filter is gone through by list() or tuple()."""
    frame = _level(context)
    node = frame.node if frame else None
    inner = node.args[0] if isinstance(node, ast.Call) and node.args else None
    is_filter = isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "filter"
    return Match(facts={"name": "filter"}) if is_filter else None


def _builtin(context: FailureContext, names: frozenset[str]) -> Match | None:
    frame = _level(context)
    node = frame.node if frame else None
    if frame is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    fact = frame.fact(node.func)
    builtin = fact is None or fact.detail == f"builtins.{node.func.id}"
    aliased = fact is not None and fact.detail in {f"builtins.{n}" for n in names}
    named = node.func.id in names
    return Match(facts={"name": node.func.id}) if aliased or (named and builtin) else None


def _list_sort(context: FailureContext) -> Match | None:
    frame = _level(context)
    node = frame.node if frame else None
    if frame is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    is_list = node.func.attr == "sort" and frame.kind(node.func.value) in ("list", None)
    return Match(facts={"name": "sort"}) if is_list else None


def in_while(context: FailureContext) -> Match | None:
    """A Python `while` asks its condition before every round."""
    test = _test(context)
    if test is None or not isinstance(test.asker, ast.While):
        return None
    return Match(facts={"condition": test.frame.module.text(test.asker.test)})


def or_default(context: FailureContext) -> Match | None:
    """`x or default` asks the truth of x where only its presence is meant."""
    test = _test(context)
    outer = test.within(ast.BoolOp) if test is not None else None
    if test is None or not isinstance(outer, ast.BoolOp) or not isinstance(outer.op, ast.Or):
        return None
    if test.asker is not None or not isinstance(outer.values[0], ast.Name | ast.Attribute):
        return None
    is_boolean = (context.failure.tracer or "bool").lstrip("~").startswith("bool")
    return None if is_boolean else Match(test.frame.place(outer))


def in_and_or(context: FailureContext) -> Match | None:
    """`and` and `or` ask their left side; with one traced side in an `if`, the `if` is at fault."""
    test = _test(context)
    outer = test.within(ast.BoolOp) if test is not None else None
    if test is None or not isinstance(outer, ast.BoolOp):
        return None
    traced = [v for v in outer.values if test.frame.is_traced(v)]
    if test.asker is not None and len(traced) < 2:
        return None
    return Match(test.frame.place(outer))


def in_not(context: FailureContext) -> Match | None:
    """`not` asks its operand."""
    test = _test(context)
    if test is None or _flag(context, test) is not None:
        return None
    outer = next(
        (n for n in test.path[:2] if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not)), None
    )
    return Match(test.frame.place(outer)) if outer is not None else None


def in_ternary(context: FailureContext) -> Match | None:
    """`a if c else b` asks c."""
    test = _test(context)
    if test is None or not isinstance(test.asker, ast.IfExp) or _flag(context, test) is not None:
        return None
    return Match(facts={"condition": test.frame.module.text(test.asker.test)})


def config_flag(context: FailureContext) -> Match | None:
    """A Python flag that was passed to the traced function is asked as if it were a value."""
    test = _test(context)
    flag = _flag(context, test) if test is not None else None
    if test is None or flag is None:
        return None
    return Match(facts={"argument": flag, "name": flag})


def _flag(context: FailureContext, test: TruthTest) -> str | None:
    """Name the parameter that is a flag: itself an argument, and only ever asked or compared."""
    if not isinstance(test.asker, ast.If | ast.IfExp | ast.While):
        return None
    node = test.node
    name = node.left if isinstance(node, ast.Compare) and len(node.ops) == 1 else node
    if isinstance(node, ast.Compare) and not _is_equality_with_constant(node):
        return None
    if isinstance(name, ast.Attribute) and name is node:
        return _flag_in_settings(context, test.frame, name)
    if not isinstance(name, ast.Name) or name.id not in _parameter_names(test.frame):
        return None
    return name.id if _is_flag(context, test.frame, name.id, node) else None


def _flag_in_settings(
    context: FailureContext, frame: FrameContext, node: ast.Attribute
) -> str | None:
    """Name the argument that holds settings, when a bool of its own is only ever asked."""
    if not isinstance(node.value, ast.Name) or node.value.id not in _parameter_names(frame):
        return None
    asked = (context.failure.tracer or "").lstrip("~")
    if asked != "bool[]" or frame.function is None:
        return None
    path = path_of(node)
    same = [
        n for n in ast.walk(frame.function) if isinstance(n, ast.Attribute) and path_of(n) == path
    ]
    return node.value.id if all(_is_condition(frame.module, n) for n in same) else None


def _is_equality_with_constant(node: ast.Compare) -> bool:
    return isinstance(node.ops[0], ast.Eq | ast.NotEq) and isinstance(
        node.comparators[0], ast.Constant
    )


def _parameter_names(frame: FrameContext) -> set[str]:
    return {a.arg for a in parameters(frame.function)}


def _is_flag(context: FailureContext, frame: FrameContext, name: str, node: ast.AST) -> bool:
    if _has_constant_default(frame, name) or _is_given_as_constant(context, name):
        return True
    fact = frame.fact(name)
    is_bool = fact is not None and fact.detail.lstrip("~") == "bool[]"
    return is_bool and isinstance(node, ast.Name) and _is_only_asked(frame, name)


def _has_constant_default(frame: FrameContext, name: str) -> bool:
    function = frame.function
    if function is None:
        return False
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(reversed(positional), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return any(a.arg == name and isinstance(d, ast.Constant) for a, d in pairs)


def _is_given_as_constant(context: FailureContext, name: str) -> bool:
    """Tell whether a call on the way passes a literal True, False or str under this name."""
    return any(
        keyword.arg == name
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, bool | str)
        for frame in context.frames
        if frame.statement is not None
        for call in ast.walk(frame.statement)
        if isinstance(call, ast.Call)
        for keyword in call.keywords
    )


def _is_only_asked(frame: FrameContext, name: str) -> bool:
    """Tell whether a function uses a parameter in conditions only."""
    function = frame.function
    if function is None:
        return False
    module: Module = frame.module
    used = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return all(_is_condition(module, n) for n in used)


def _is_condition(module: Module, node: ast.AST) -> bool:
    parent = module.parents.get(node)
    if isinstance(parent, ast.UnaryOp | ast.BoolOp | ast.Compare):
        return _is_condition(module, parent)
    return getattr(parent, "test", None) is node


def early_return(context: FailureContext) -> Match | None:
    """A `return` or `break` in a Python loop is guarded by a traced condition."""
    test = _test(context)
    if test is None or not isinstance(test.asker, ast.If):
        return None
    leaves = any(isinstance(n, ast.Return | ast.Break) for s in test.asker.body for n in _inner(s))
    in_loop = _is_in_loop(test.frame.module, test.asker)
    condition = test.frame.module.text(test.asker.test)
    return Match(facts={"condition": condition}) if leaves and in_loop else None


def _inner(statement: ast.stmt) -> list[ast.AST]:
    return [statement] if isinstance(statement, _LOOPS) else list(ast.walk(statement))


def _is_in_loop(module: Module, node: ast.AST) -> bool:
    for outer in module.ancestors(node):
        if isinstance(outer, _LOOPS):
            return True
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            return False
    return False


def in_if(context: FailureContext) -> Match | None:
    """`if` and `elif` ask their condition, and so does the `if` of a comprehension."""
    test = _test(context)
    if test is None or not isinstance(test.asker, ast.If | ast.comprehension):
        return None
    return Match(facts={"condition": test.frame.module.text(test.node)})


MATCHERS = (
    ("traced-bool-in-match", in_match),
    ("traced-bool-in-assert", in_assert),
    ("traced-bool-in-while", in_while),
    ("traced-bool-in-builtin-minmax", builtin_minmax),
    ("traced-bool-in-builtin-sorted", builtin_sorted),
    ("traced-bool-in-membership", membership),
    ("traced-early-return", early_return),
    ("traced-bool-in-chained-comparison", chained_comparison),
    ("traced-bool-in-or-default", or_default),
    ("traced-bool-in-and-or", in_and_or),
    ("config-flag-not-static", config_flag),
    ("traced-bool-in-not", in_not),
    ("traced-bool-in-ternary", in_ternary),
    ("traced-bool-in-if", in_if),
)
