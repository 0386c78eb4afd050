"""Fixes truth tests on traced values."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.tracing.booleans import (
    Flag,
    Matched,
    TruthTest,
    builtin_minmax,
    builtin_sorted,
    chained_comparison,
    config_flag,
    early_return,
    find_tester,
    in_and_or,
    in_assert,
    in_if,
    in_match,
    in_not,
    in_recursion,
    in_ternary,
    in_while,
    loop_around,
    membership,
    or_default,
)
from jaxtutor.core.diagnosis.editing.branches import merge
from jaxtutor.core.diagnosis.editing.conditions import asked_of_all, stacked, truth
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of, rewrite
from jaxtutor.core.diagnosis.editing.loops import (
    carry_return,
    mask_break,
    while_to_lax,
)
from jaxtutor.core.diagnosis.editing.static_arguments import make_static, make_static_at_call
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtNode
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, names_in

# ---------------------------------------------------------------- conditions


def choose_by_value(found: TruthTest) -> Drafts:
    """Rewrite the branch that tests, or the condition alone where nothing branches on it."""
    match found.tester:
        case ast.If() as tester:
            yield from _branch(found.frame, tester)
        case ast.IfExp() as tester:
            yield from _ternary(found.frame, tester)
        case ast.While() as tester:
            yield while_to_lax(found.module, tester)
        case ast.Assert() as tester:
            yield from _assert(found.frame, tester)
        case _:
            yield _expression(found.module, found.node)


def _expression(module: Module, node: ast.AST) -> Draft | None:
    """Write the outermost condition around a value for arrays."""
    if not isinstance(node, ast.expr):
        return None
    while isinstance(outer := module.parents.get(node), ast.BoolOp | ast.UnaryOp):
        if isinstance(outer, ast.UnaryOp) and not isinstance(outer.op, ast.Not):
            break
        node = outer
    draft = Draft(module)
    text = truth(draft, node)
    if text is None or text == module.text(node):
        return None
    needs = isinstance(module.parents.get(node), ast.BinOp | ast.Compare | ast.UnaryOp)
    return draft.replace(node, f"({text})" if needs else text)


def _branch(frame: FrameContext, node: ast.If) -> Drafts:
    module = frame.module
    node = _head_of_chain(module, node)
    loop = loop_around(module, node)
    if loop is not None and _ends_early(node):
        yield from _early_exit(module, node, loop)
        return
    if any(isinstance(s, ast.Raise) for s in node.body):
        yield _raise(frame, node)
        return
    yield merge(module, node, "where", frame.is_traced)
    yield merge(module, node, "cond", frame.is_traced)


def _head_of_chain(module: Module, node: ast.If) -> ast.If:
    """Go from an `elif` to the `if` that it belongs to."""
    outer = module.parents.get(node)
    while isinstance(outer, ast.If) and outer.orelse == [node]:
        node, outer = outer, module.parents.get(outer)
    return node


def _ends_early(node: ast.If) -> bool:
    return any(isinstance(s, ast.Return | ast.Break) for s in [*node.body, *node.orelse])


def _early_exit(module: Module, node: ast.If, loop: ast.stmt) -> Drafts:
    if isinstance(loop, ast.For):
        yield mask_break(module, node, loop)
        yield carry_return(module, node, loop)


def _ternary(frame: FrameContext, node: ast.IfExp) -> Drafts:
    for form in ("where", "cond"):
        draft = Draft(frame.module)
        outer = _outermost(frame.module, node)
        text = _choice(draft, frame, outer, form, node)
        if text is not None:
            yield draft.replace(outer, text)


def _outermost(module: Module, node: ast.IfExp) -> ast.IfExp:
    outer = module.parents.get(node)
    while isinstance(outer, ast.IfExp) and outer.test is not node:
        node, outer = outer, module.parents.get(outer)
    return node


def _choice(
    draft: Draft, frame: FrameContext, node: ast.expr, form: str, asking: ast.IfExp
) -> str | None:
    if not isinstance(node, ast.IfExp):
        return draft.module.text(node)
    then = _choice(draft, frame, node.body, form, asking)
    other = _choice(draft, frame, node.orelse, form, asking)
    if then is None or other is None:
        return None
    if node is not asking and not frame.is_traced(node.test):
        return rewrite(draft.module, node, {node.body: then, node.orelse: other})
    test = truth(draft, node.test)
    if test is None:
        return None
    if form == "cond":
        return f"{draft.name('jax.lax.cond')}({test}, lambda: {then}, lambda: {other})"
    return f"{draft.name('jax.numpy.where')}({test}, {then}, {other})"


# ---------------------------------------------------------------- checks that stop the program


def _assert(frame: FrameContext, node: ast.Assert) -> Drafts:
    """Check on the host: a callback asserts when the value is known."""
    draft = Draft(frame.module)
    test = truth(draft, node.test)
    if test is None or (node.msg is not None and frame.is_traced(node.msg)):
        return
    said = f", {frame.module.text(node.msg)}" if node.msg is not None else ""
    yield _callback(draft, node, test, lambda name: [f"assert {name}.all(){said}"], "holds")


def _raise(frame: FrameContext, node: ast.If) -> Draft | None:
    raised = node.body[0]
    if len(node.body) != 1 or node.orelse or not isinstance(raised, ast.Raise):
        return None
    draft = Draft(frame.module)
    test = truth(draft, node.test)
    if test is None or (raised.exc is not None and frame.is_traced(raised.exc)):
        return None
    text = frame.module.text(raised)
    return _callback(draft, node, test, lambda n: [f"if {n}.any():", f"    {text}"], "is_wrong")


def _callback(draft: Draft, node: ast.stmt, test: str, body: object, preferred: str) -> Draft:
    module = draft.module
    name, given = fresh_name(module, "check"), fresh_name(module, preferred)
    indent = indent_of(module, node)
    assert callable(body)
    lines = [f"def {name}({given}):", *(f"    {line}" for line in body(given)), ""]
    lines.append(f"{draft.name('jax.debug.callback')}({name}, {test})")
    text = "\n".join(indent + line if line else "" for line in lines)
    return draft.replace(node, text.lstrip())


# ---------------------------------------------------------------- builtins


def end_by_setting(found: TruthTest) -> Drafts:
    """Make an argument static that the end of a recursion depends on."""
    for name in sorted(names_in(found.node)):
        yield make_static(found.context, name)
    yield make_static_at_call(found.context)


def choose_by_pattern(found: Matched) -> Drafts:
    """Write a `match` on a traced value as a choice."""
    for form in ("where", "cond"):
        yield merge(found.module, found.statement, form, found.frame.is_traced)


def default_if_none(found: AtNode) -> Drafts:
    """Write `x or d` as `d if x is None else x`."""
    module, node = found.module, found.node
    if not isinstance(node, ast.BoolOp) or len(node.values) != 2:
        return
    text, default = (module.text(value) for value in node.values)
    choice = f"{default} if {text} is None else {text}"
    is_bare = isinstance(module.parents.get(node), ast.Assign | ast.Return | ast.keyword)
    yield Draft(module).replace(node, choice if is_bare else f"({choice})")


def array_minmax(found: AtCall) -> Drafts:
    """Call jnp.minimum and jnp.maximum for the builtins min and max."""
    call = found.node
    while isinstance(outer := found.module.parents.get(call), ast.Call) and _is_minmax(outer):
        call = outer
    draft = Draft(found.module)
    text = _largest(draft, call)
    yield draft.replace(call, text) if text is not None else None


def _is_minmax(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("min", "max")
    )


def _largest(draft: Draft, call: ast.Call) -> str | None:
    if not isinstance(call.func, ast.Name) or call.keywords:
        return None
    name = call.func.id if call.func.id in ("min", "max") else "max"
    if len(call.args) == 1:
        return f"{draft.name('jax.numpy.' + name)}({stacked(draft, call.args[0])})"
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    function = draft.name(f"jax.numpy.{name}imum")
    parts = [_part(draft, argument) for argument in call.args]
    text = parts[0]
    for part in parts[1:]:
        text = f"{function}({text}, {part})"
    return text


def _part(draft: Draft, node: ast.expr) -> str:
    inner = _largest(draft, node) if isinstance(node, ast.Call) and _is_minmax(node) else None
    return inner or draft.module.text(node)


def array_builtin(found: AtCall) -> Drafts:
    """Call the functions for arrays instead of sorted(), list.sort(), any() and all()."""
    draft, call = Draft(found.module), found.node
    if isinstance(call.func, ast.Attribute):
        yield _sorted_in_place(draft, call, call.func)
    elif getattr(call.func, "id", "") not in ("any", "all"):
        yield _sorted(draft, found.frame, call)
    elif (tester := find_tester(found.module, call, ("bool", "any", "all"))) is None:
        text = asked_of_all(draft, call)
        yield draft.replace(call, text) if text is not None else None
    else:
        test = TruthTest(context=found.context, node=call, tester=tester)
        yield from choose_by_value(test)


def _sorted(draft: Draft, frame: FrameContext, call: ast.Call) -> Draft | None:
    reverse = [k for k in call.keywords if k.arg == "reverse"]
    if len(call.args) != 1 or len(reverse) != len(call.keywords):
        return None
    if reverse and not (isinstance(reverse[0].value, ast.Constant) and reverse[0].value.value):
        return None
    given = call.args[0]
    items = stacked(draft, given)
    if frame.kind(given) in ("list", "tuple"):
        items = f"{draft.name('jax.numpy.array')}({items})"
    end = "[::-1]" if reverse else ""
    return draft.replace(call, f"{draft.name('jax.numpy.sort')}({items}){end}")


def _sorted_in_place(draft: Draft, call: ast.Call, func: ast.Attribute) -> Draft | None:
    statement = draft.module.parents.get(call)
    if call.args or call.keywords or not isinstance(statement, ast.Expr):
        return None
    name, array = draft.module.text(func.value), draft.name("jax.numpy.array")
    text = f"{name} = list({draft.name('jax.numpy.sort')}({array}({name})))"
    return draft.replace(statement, text)


def name_flag(found: Flag) -> Drafts:
    """Make the flag static; else choose by its value."""
    test = getattr(found.test.tester, "test", None) if found.test is not None else None
    others = sorted(names_in(test)) if test is not None else []
    for name in dict.fromkeys([found.argument, *others]):
        yield make_static(found.context, name)
    yield make_static_at_call(found.context)
    if found.test is not None:
        yield from choose_by_value(found.test)


RULES = (
    Rule(
        "traced-bool-in-recursion",
        raised(in_recursion),
        end_by_setting,
        before=("traced-bool-in-ternary", "traced-bool-in-if"),
    ),
    Rule(
        "config-flag-not-static",
        raised(config_flag),
        name_flag,
        before=("traced-bool-in-not", "traced-bool-in-if"),
    ),
    Rule("traced-bool-in-match", raised(in_match), choose_by_pattern),
    Rule(
        "traced-bool-in-assert",
        raised(in_assert),
        choose_by_value,
        before=("traced-bool-in-and-or", "traced-bool-in-not"),
    ),
    Rule(
        "traced-bool-in-while", raised(in_while), choose_by_value, before=("traced-bool-in-and-or",)
    ),
    Rule(
        "traced-bool-in-builtin-minmax",
        raised(builtin_minmax),
        array_minmax,
    ),
    Rule("traced-bool-in-builtin-sorted", raised(builtin_sorted), array_builtin),
    Rule(
        "traced-bool-in-membership",
        raised(membership),
        choose_by_value,
        before=("traced-bool-in-ternary", "traced-bool-in-if"),
    ),
    Rule(
        "traced-early-return", raised(early_return), choose_by_value, before=("traced-bool-in-if",)
    ),
    Rule(
        "traced-bool-in-chained-comparison",
        raised(chained_comparison),
        choose_by_value,
    ),
    Rule(
        "traced-bool-in-or-default",
        raised(or_default),
        default_if_none,
        before=("traced-bool-in-and-or",),
    ),
    Rule(
        "traced-bool-in-and-or",
        raised(in_and_or),
        choose_by_value,
        before=("traced-bool-in-if",),
    ),
    Rule("traced-bool-in-not", raised(in_not), choose_by_value),
    Rule("traced-bool-in-ternary", raised(in_ternary), choose_by_value),
    Rule("traced-bool-in-if", raised(in_if), choose_by_value),
)
