"""Matches and fixes lists and numbers where an array or a sequence of arrays belongs."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts, span_end
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import is_number

_LEAVES = ("jax.tree.leaves", "jax.tree_util.tree_leaves")
_JOINING = frozenset(
    {"concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "concat", "block"}
)
_ARRAY_NAMES = frozenset(
    """shape dtype ndim size T at astype reshape sum mean max min std var prod dot flatten ravel
    transpose squeeze item tolist copy argmax argmin clip any all cumsum cumprod round take repeat
    swapaxes conj real imag block_until_ready device devices sharding nbytes itemsize diagonal trace
    argsort sort""".split()
)
_TRACING = ("lower", "trace")
_SCALARS = re.compile(r"'(int|float|bool|complex)' object has no attribute '(\w+)'")
_NOT_OPERAND = re.compile(
    r"operand type\(s\) for \S+: '"
    r"(?:list' and '\w*(?:Array|Tracer)|\w*(?:Array|Tracer)\w*' and 'list')"
    r"|argument to \w+ as a JAX value\. The problematic value is of type <class 'list'>"
)
_NOT_TAKEN = re.compile(
    r"requires? (?:ndarray|array) or scalar arguments?.*got <class '(list|tuple)'>"
)


def not_sequence(context: FailureContext) -> AtCall | None:
    """Arrays are passed to concatenate or stack as separate arguments."""
    call = at_call(context)
    if call is None or len(call.node.args) < 2:
        return None
    first, second = call.node.args[:2]
    if not joins(call.path):
        # `jnp.stack` itself was passed to a function, which called it with the arrays.
        handed = context.passed_through(*_JOINING) and joins(call.frame.dotted(first))
        return call if handed else None
    return call if _may_be_array(call.frame, first) and not _is_constant(second) else None


def joins(path: str | None) -> bool:
    """Return whether a function makes one array of a sequence of them."""
    is_library = (path or "").startswith(("jax.", "numpy."))
    return is_library and last_part(path) in _JOINING


def _may_be_array(frame: FrameContext, node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.Starred):
        return False
    return frame.kind(node) in ("array", "tracer", "ndarray", None)


def _is_constant(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def as_sequence(found: AtCall) -> Drafts:
    """Pass arrays that were passed one by one as one tuple."""
    frame, module, call = found.frame, found.module, found.node
    if joins(frame.dotted(call.args[0] if call.args else None)):
        yield Draft(module).wrap(call.args[0], "lambda *xs: ", "(xs)")
        return
    arrays = [a for a in call.args if not is_number(a)]
    if len(arrays) >= 2:
        first, last = module.span(arrays[0]), module.span(arrays[-1])
        place = Span(first.line, first.column, *span_end(last))
        yield Draft(module).replace(place, f"({module.text(place)})").certain()


def ragged(context: FailureContext) -> AtFrame | None:
    """An array is made of lists of unequal length."""
    path = context.frame.callee(context.node) if context.frame is not None else None
    is_made = path in ("jax.numpy.array", "jax.numpy.asarray")
    is_said = "inhomogeneous shape" in context.message
    return at_frame(context) if is_said or is_made else None


def list_argument(context: FailureContext) -> AtFrame | None:
    """A list is passed to a jnp function that takes arrays only."""
    taken = _NOT_TAKEN.search(context.message)
    if taken is None and _NOT_OPERAND.search(context.message) is None:
        return None
    found = at_frame(context, {"name": "list"})
    if taken is None and context.library and (found is None or not _passes_list(found)):
        return None  # the library was given the list earlier, as a setting
    operand = _listed_operand(found) if found is not None else None
    if found is not None and operand is not None:
        return replace(found, facts={"name": found.module.text(operand)}, form="operator")
    leaves = _listed_leaves(found) if found is not None else None
    if found is not None and leaves is not None:
        return replace(found, facts={"name": found.module.text(leaves)}, form="leaves")
    is_tuple = found is not None and taken is not None and taken[1] == "tuple"
    packed = _packed_arguments(found) if found is not None and is_tuple else None
    if found is not None and packed is not None:
        return replace(found, facts={"name": found.module.text(packed)}, form="packed")
    return replace(found, form="tuple") if found is not None and is_tuple else found


def _packed_arguments(found: AtFrame) -> ast.expr | None:
    """Return the tuple that a call such as `compiled.lower(specs)` passes as its only argument.

    Such a call takes the arguments of another function, whatever they are.
    """
    call = found.call
    if call is None or not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    if call.func.attr not in _TRACING or len(call.args) != 1:
        return None
    return call.args[0] if found.frame.kind(call.args[0]) in ("tuple", None) else None


def _passes_list(found: AtFrame) -> bool:
    given = passed_arguments(found.call) if found.call is not None else []
    return any(_is_python_list(found.frame, a) for a in given)


def _listed_leaves(found: AtFrame) -> ast.expr | None:
    """Return the argument that is the list of a tree's leaves."""
    given = passed_arguments(found.call) if found.call is not None else []
    return next((it for it in given if _is_leaves(found.module, it)), None)


def _is_leaves(module: Module, node: ast.expr) -> bool:
    made = bound_value(module, node)
    return isinstance(made, ast.Call) and module.dotted(made.func) in _LEAVES


def _listed_operand(found: AtFrame) -> ast.expr | None:
    """Return the operand of an operator that is a list, beside one that is not."""
    if not isinstance(found.at, ast.BinOp):
        return None
    lists = [n for n in (found.at.left, found.at.right) if _is_python_list(found.frame, n)]
    return lists[0] if len(lists) == 1 else None


def _is_python_list(frame: FrameContext, node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.ListComp) or frame.kind(node) == "list"


def as_array(found: AtFrame) -> Drafts:
    """Make an array of a list where it is passed, or computed with."""
    frame, call = found.frame, found.call
    operand = _listed_operand(found)
    if operand is not None:
        draft = Draft(found.module).certain()
        yield draft.wrap(operand, f"{draft.name('jax.numpy.asarray')}(", ")")
    if call is None:
        return
    leaves = _listed_leaves(found)
    if leaves is not None:
        draft = Draft(found.module).certain()
        jnp, text = draft.name("jax.numpy"), found.module.text(leaves)
        yield draft.replace(leaves, f"{jnp}.concatenate([{jnp}.ravel(leaf) for leaf in {text}])")
        return
    packed = _packed_arguments(found)
    if packed is not None:
        yield Draft(found.module).certain().wrap(packed, "*", "")
        return
    said = re.search(r"at position (\d+)", found.context.message)
    position = int(said[1]) if said is not None else 0
    lists = [
        a
        for a in call.args
        if frame.kind(a) in ("list", "tuple") or isinstance(a, ast.List | ast.ListComp)
    ]
    for item in dict.fromkeys([*call.args[position : position + 1], *lists]):
        draft = Draft(found.module).certain()
        yield draft.wrap(item, f"{draft.name('jax.numpy.asarray')}(", ")")


def python_scalar(context: FailureContext) -> AtFrame | None:
    """An attribute that only an array has is read from a Python number."""
    found, node = _SCALARS.search(context.message), context.node
    if found is None or found[2] not in _ARRAY_NAMES or context.frame is None:
        return None
    if not isinstance(node, ast.Attribute):
        return at_frame(context)
    return at_frame(context, {"name": context.frame.module.text(node.value)})


def scalar_to_array(found: AtFrame) -> Drafts:
    """Make an array of a Python number before its attribute is read."""
    node = found.call.func if found.call is not None else found.at
    if isinstance(node, ast.Attribute):
        module, draft = found.module, Draft(found.module)
        span, array = module.span(node.value), draft.name("jax.numpy.asarray")
        if _is_wrapped(module, span):
            span = Span(span.line, span.column - 1, span.end_line, span.end_column + 1)
        yield draft.certain().replace(span, f"{array}({module.text(node.value)})")


def _is_wrapped(module: Module, span: Span) -> bool:
    """Return whether parentheses touch both ends of a span."""
    before = module.lines[span.line - 1][: span.column]
    after = module.lines[span.end_line - 1][span.end_column :]
    return before.endswith("(") and after.startswith(")")


RULES = (
    Rule("concat-not-sequence", raised(not_sequence), as_sequence),
    Rule("ragged-list", raised(ragged)),
    Rule("list-argument", raised(list_argument), as_array),
    Rule("python-scalar-not-array", raised(python_scalar), scalar_to_array),
)
