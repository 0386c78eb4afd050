"""Owns the mending of truth tests on traced values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.static_args.fix import make_static
from jaxtutor.core.diagnosis.rewriting.branches import merge
from jaxtutor.core.diagnosis.rewriting.conditions import asked_of_all, stacked, truth
from jaxtutor.core.diagnosis.rewriting.loops import (
    carry_return,
    mask_break,
    while_to_lax,
    while_with_break,
)
from jaxtutor.core.diagnosis.rewriting.site import (
    Drafts,
    Fixer,
    FixSite,
    fresh_name,
    indent_of,
    rewrite,
)
from jaxtutor.core.diagnosis.source import Module, names_in

_ASKERS = (ast.If, ast.IfExp, ast.While, ast.Assert)


def _asker(site: FixSite) -> tuple[FrameContext, ast.AST] | None:
    """Find the statement or expression whose condition the failure lies in."""
    frame, node = site.frame, site.at
    if frame is None or node is None:
        return None
    inner = node
    for outer in [node, *frame.module.ancestors(node)]:
        if isinstance(outer, _ASKERS) and (outer is node or outer.test is inner):
            return frame, outer
        if isinstance(outer, ast.stmt) or not _passes_truth(outer, node):
            return None
        inner = outer
    return None


def _passes_truth(outer: ast.AST, node: ast.AST) -> bool:
    if isinstance(outer, ast.Call) and outer is not node:
        return isinstance(outer.func, ast.Name) and outer.func.id in ("bool", "any", "all")
    return isinstance(outer, ast.BoolOp | ast.UnaryOp) or outer is node


# ---------------------------------------------------------------- conditions


def condition(site: FixSite) -> Drafts:
    """Mend the branch that asks, or the condition alone where nothing branches on it."""
    found = _asker(site)
    if found is None:
        yield from _comprehension(site)
        yield _expression(site)
        return
    frame, asker = found
    match asker:
        case ast.If():
            yield from _branch(frame, asker)
        case ast.IfExp():
            yield from _ternary(frame, asker)
        case ast.While():
            yield from _while(frame, asker)
        case ast.Assert():
            yield from _assert(frame, asker)


def _expression(site: FixSite) -> Draft | None:
    """Write the outermost condition around the fault for arrays."""
    frame, node = site.frame, site.at
    if frame is None or not isinstance(node, ast.expr):
        return None
    module = frame.module
    while isinstance(outer := module.parents.get(node), ast.BoolOp | ast.UnaryOp):
        if isinstance(outer, ast.UnaryOp) and not isinstance(outer.op, ast.Not):
            break
        node = outer
    draft = Draft(module)
    text = truth(draft, node)
    is_same = text is None or text == module.text(node)
    if is_same or text is None:
        return None
    needs = isinstance(module.parents.get(node), ast.BinOp | ast.Compare | ast.UnaryOp)
    return draft.replace(node, f"({text})" if needs else text)


def _comprehension(site: FixSite) -> Iterator[Draft | None]:
    """Write `sum(v for v in vs if c)` with the condition inside the sum."""
    frame, node = site.frame, site.at
    if frame is None or not isinstance(node, ast.expr):
        return
    module = frame.module
    holder = next((n for n in module.ancestors(node) if isinstance(n, ast.GeneratorExp)), None)
    call = module.parents.get(holder) if holder is not None else None
    is_sum = (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "sum"
    )
    if holder is None or not is_sum or len(holder.generators) != 1:
        return
    asked = holder.generators[0]
    draft = Draft(module)
    if len(asked.ifs) != 1 or (test := truth(draft, asked.ifs[0])) is None:
        return
    head = module.text(holder.elt)
    draft.replace(holder.elt, f"{draft.name('jax.numpy.where')}({test}, {head}, 0)")
    start, end = module.span(asked.iter), module.span(asked.ifs[0])
    place = type(start)(start.end_line, start.end_column, end.end_line, end.end_column)
    yield draft.replace(place, "")


def _branch(frame: FrameContext, node: ast.If) -> Iterator[Draft | None]:
    module = frame.module
    node = _head_of_chain(module, node)
    loop = _loop_around(module, node)
    if loop is not None and _leaves(node):
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


def _loop_around(module: Module, node: ast.AST) -> ast.For | ast.While | None:
    for outer in module.ancestors(node):
        if isinstance(outer, ast.For | ast.While):
            return outer
        if isinstance(outer, ast.FunctionDef | ast.Lambda):
            return None
    return None


def _leaves(node: ast.If) -> bool:
    return any(isinstance(s, ast.Return | ast.Break) for s in [*node.body, *node.orelse])


def _early_exit(module: Module, node: ast.If, loop: ast.For | ast.While) -> Iterator[Draft | None]:
    if isinstance(loop, ast.While):
        yield while_with_break(module, node, loop)
        return
    yield mask_break(module, node, loop)
    yield carry_return(module, node, loop)


def _ternary(frame: FrameContext, node: ast.IfExp) -> Iterator[Draft | None]:
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


def _while(frame: FrameContext, node: ast.While) -> Iterator[Draft | None]:
    yield while_to_lax(frame.module, node)


# ---------------------------------------------------------------- checks that stop the program


def _assert(frame: FrameContext, node: ast.Assert) -> Iterator[Draft | None]:
    """Let the host check: a callback that asserts when the value is known."""
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


def _callback(draft: Draft, node: ast.stmt, test: str, body: object, wish: str) -> Draft:
    module = draft.module
    name, given = fresh_name(module, "check"), fresh_name(module, wish)
    indent = indent_of(module, node)
    assert callable(body)
    lines = [f"def {name}({given}):", *(f"    {line}" for line in body(given)), ""]
    lines.append(f"{draft.name('jax.debug.callback')}({name}, {test})")
    text = "\n".join(indent + line if line else "" for line in lines)
    return draft.replace(node, text.lstrip())


# ---------------------------------------------------------------- builtins


def in_match(site: FixSite) -> Drafts:
    """Write a `match` on a traced value as a choice."""
    frame, node = site.frame, site.at
    if frame is None or node is None:
        return
    path = [node, *frame.module.ancestors(node)]
    statement = next((n for n in path if isinstance(n, ast.Match)), None)
    if statement is not None:
        yield merge(frame.module, statement, "where", frame.is_traced)
        yield merge(frame.module, statement, "cond", frame.is_traced)


def or_default(site: FixSite) -> Drafts:
    """`x or d` becomes `d if x is None else x`."""
    frame, node = site.frame, site.node
    if frame is None or not isinstance(node, ast.BoolOp) or len(node.values) != 2:
        return
    draft, (value, default) = Draft(frame.module), node.values
    text = frame.module.text(value)
    choice = f"{frame.module.text(default)} if {text} is None else {text}"
    is_bare = isinstance(frame.module.parents.get(node), ast.Assign | ast.Return | ast.keyword)
    yield draft.replace(node, choice if is_bare else f"({choice})")


def minmax(site: FixSite) -> Drafts:
    """The builtins min and max become those for arrays."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    while isinstance(outer := frame.module.parents.get(call), ast.Call) and _is_minmax(outer):
        call = outer
    draft = Draft(frame.module)
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


def ordered(site: FixSite) -> Drafts:
    """sorted(), list.sort(), any() and all() become those for arrays."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    draft = Draft(frame.module)
    if isinstance(call.func, ast.Attribute):
        yield _sorted_in_place(draft, frame, call)
    elif isinstance(call.func, ast.Name) and call.func.id in ("any", "all"):
        text = asked_of_all(draft, call)
        asker = _asker(site)
        if text is not None and asker is None:
            yield draft.replace(call, text)
        yield from condition(site) if asker is not None else ()
    else:
        yield _sorted(draft, frame, call)


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


def _sorted_in_place(draft: Draft, frame: FrameContext, call: ast.Call) -> Draft | None:
    func = call.func
    assert isinstance(func, ast.Attribute)
    statement = frame.module.parents.get(call)
    if call.args or call.keywords or not isinstance(statement, ast.Expr):
        return None
    name, array = frame.module.text(func.value), draft.name("jax.numpy.array")
    text = f"{name} = list({draft.name('jax.numpy.sort')}({array}({name})))"
    return draft.replace(statement, text)


def flag(site: FixSite) -> Drafts:
    """A flag is made static."""
    frame, found = site.frame, _asker(site)
    if frame is None or found is None:
        return
    test = getattr(found[1], "test", None)
    names = sorted(names_in(test)) if test is not None else []
    for name in names:
        yield make_static(site, name)
    yield from condition(site)


FIXERS: dict[str, Fixer] = {
    "traced-bool-in-if": condition,
    "traced-bool-in-ternary": condition,
    "traced-bool-in-while": condition,
    "traced-early-return": condition,
    "traced-bool-in-and-or": condition,
    "traced-bool-in-not": condition,
    "traced-bool-in-chained-comparison": condition,
    "traced-bool-in-membership": condition,
    "traced-bool-in-assert": condition,
    "traced-bool-in-match": in_match,
    "traced-bool-in-or-default": or_default,
    "traced-bool-in-builtin-minmax": minmax,
    "traced-bool-in-builtin-sorted": ordered,
    "config-flag-not-static": flag,
}
