"""Matches and fixes truth tests of arrays that have values, and more than one of them."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import path_of

_CONTAINERS = ("dict", "list", "tuple")
_NAN = ("jax.numpy.nan", "numpy.nan", "math.nan")
_ASSERTIONS = {"assertEqual": False, "assertNotEqual": True}


class ArrayTruth(AtFrame, frozen=True, kw_only=True):
    """A test of an array's truth; `meant` are texts that may take the place of `node`."""

    node: ast.expr
    meant: tuple[str, ...] = ()


def array_truth(context: FailureContext) -> ArrayTruth | None:
    """An array of several elements is used where one truth value is needed."""
    frame = context.frame
    if frame is None or context.failure.tracer is not None or not isinstance(frame.node, ast.expr):
        return None
    if "truth value of a" not in context.message:
        return None
    node = _compared(frame.node)
    facts, text = {"condition": frame.module.text(node)}, frame.module.text
    outer = frame.module.parents.get(node)
    meant: tuple[str, ...] = ()
    match node:
        case ast.Name() | ast.Attribute() if _has_default(outer, node):
            assert isinstance(outer, ast.BoolOp)
            other = text(outer.values[1])
            form, meant = "default", (f"{text(node)} if {text(node)} is not None else {other}",)
            facts |= {"argument": meant[0]}
            node = outer
        case ast.Call(func=ast.Attribute(attr=method), args=[left, right, *_]) if (
            method in _ASSERTIONS
        ):
            form, meant = "assertion", _assertion(frame, node)
            facts |= {"name": text(node.func), "argument": meant[0]}
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if (
            frame.dotted(right) in _NAN
        ):
            form, meant = "nan", (_has_nan(frame, left),)
            facts |= {"name": text(left), "argument": meant[0]}
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            form = "trees" if _is_tree(frame, left) or _is_tree(frame, right) else "equal"
            meant = _equal(frame, node, left, right)
            facts |= {"name": text(left), "container": text(right), "argument": meant[0]}
        case ast.Compare(ops=[_]):
            form, meant = "compare", (f"({text(node)}).all()", f"({text(node)}).any()")
        case _ if path_of(node) is not None:
            form = "name"
        case _:
            return None
    return ArrayTruth(None, facts, form, context=context, node=node, meant=meant)


def _compared(node: ast.expr) -> ast.expr:
    """Return what is tested: in `not`, in a conditional, the first operand of `and` and `or`."""
    while True:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=inner) | ast.BoolOp(values=[inner, *_]):
                node = inner
            case ast.IfExp(test=inner):  # Python 3.11 points at the whole expression
                node = inner
            case _:
                return node


def _has_default(outer: ast.AST | None, node: ast.expr) -> bool:
    """Return whether a value stands in `value or default`."""
    is_or = isinstance(outer, ast.BoolOp) and isinstance(outer.op, ast.Or)
    return isinstance(outer, ast.BoolOp) and is_or and outer.values[:-1] == [node]


def _is_tree(frame: FrameContext, node: ast.expr) -> bool:
    return frame.kind(node) in _CONTAINERS or isinstance(node, ast.Dict | ast.List | ast.Tuple)


def _equal(
    frame: FrameContext, node: ast.Compare, left: ast.expr, right: ast.expr
) -> tuple[str, ...]:
    """Write `left == right` as one truth value: of equal elements, then of close ones."""
    jnp = Draft(frame.module).name("jax.numpy.array_equal").removesuffix(".array_equal")
    sides = f"{frame.module.text(left)}, {frame.module.text(right)}"
    negation = "not " if isinstance(node.ops[0], ast.NotEq) else ""
    if _is_tree(frame, left) or _is_tree(frame, right):
        return (f"{negation}jax.tree.all(jax.tree.map({jnp}.array_equal, {sides}))",)
    return tuple(f"{negation}{jnp}.{name}({sides})" for name in ("array_equal", "allclose"))


def _has_nan(frame: FrameContext, node: ast.expr) -> str:
    """Write the test whether an array holds a NaN."""
    return f"{Draft(frame.module).name('jax.numpy.isnan')}({frame.module.text(node)}).any()"


def _assertion(frame: FrameContext, call: ast.Call) -> tuple[str, ...]:
    """Write `assertEqual` of arrays with an assertion that compares all elements."""
    assert isinstance(call.func, ast.Attribute)
    owner = frame.module.text(call.func.value)
    jnp = Draft(frame.module).name("jax.numpy.array_equal").removesuffix(".array_equal")
    sides = ", ".join(frame.module.text(a) for a in call.args[:2])
    check = "assertFalse" if _ASSERTIONS[call.func.attr] else "assertTrue"
    return tuple(f"{owner}.{check}({jnp}.{name}({sides}))" for name in ("array_equal", "allclose"))


def compare_whole(found: ArrayTruth) -> Drafts:
    """Test all elements at once."""
    outer = found.module.parents.get(found.node)
    is_operand = isinstance(outer, ast.BoolOp | ast.UnaryOp | ast.Compare)
    for text in found.meant:
        draft = Draft(found.module)
        draft.name("jax.numpy.array_equal")
        if "jax.tree." in text:
            draft.name("jax.tree.all")
        written = f"({text})" if text.startswith("not ") and is_operand else text
        draft.replace(found.node, written)
        yield draft.certain() if found.form != "compare" else draft


RULES = (Rule("array-as-condition", raised(array_truth), compare_whole),)
