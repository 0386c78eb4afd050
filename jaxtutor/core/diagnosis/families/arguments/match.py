"""Matches the causes in what functions are given: shapes, containers, classes, None."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.families.static_args.match import unreadable_argument
from jaxtutor.core.diagnosis.reading import parameters
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, Match, at_call, at_frame
from jaxtutor.core.diagnosis.source import Module

_NOT_VALID = re.compile(r"of type '?<class '([^']*)'>'? is not a valid JAX type")
_JOINING = frozenset(
    {"concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "concat", "block"}
)
_ARRAY_NAMES = frozenset(
    """shape dtype ndim size T at astype reshape sum mean max min std var prod dot flatten ravel
    transpose squeeze item tolist copy argmax argmin clip any all cumsum cumprod round take repeat
    swapaxes conj real imag block_until_ready device devices sharding nbytes itemsize diagonal trace
    argsort sort""".split()
)
_SCALARS = re.compile(r"'(int|float|bool|complex)' object has no attribute '(\w+)'")
_NOT_OPERAND = re.compile(
    r"operand type\(s\) for \S+: '"
    r"(?:list' and '\w*(?:Array|Tracer)|\w*(?:Array|Tracer)\w*' and 'list')"
    r"|argument to \w+ as a JAX value\. The problematic value is of type <class 'list'>"
)
_NOT_TAKEN = re.compile(
    r"requires? (?:ndarray|array) or scalar arguments?.*got <class '(list|tuple)'>"
)


class Unregistered(Match, frozen=True, kw_only=True):
    """An object of the learner's class that is not a pytree."""

    classes: tuple[tuple[Module, ast.ClassDef], ...]


def not_a_jax_type(context: FailureContext) -> Unregistered | None:
    """An object of a class that is not a pytree is passed to a transformed function."""
    jitted, valid = unreadable_argument(context), _NOT_VALID.search(context.message)
    kind = jitted[0] if jitted is not None else valid[1] if valid is not None else ""
    name = kind.rpartition(".")[2]
    nodes = ((m, n) for m in context.modules.values() for n in ast.walk(m.tree))
    classes = tuple((m, n) for m, n in nodes if isinstance(n, ast.ClassDef) and n.name == name)
    if not classes:
        return None
    facts = {"name": name}
    if jitted is not None and jitted[1]:
        facts["argument"] = jitted[1]
    # Where the call is not the learner's, as in a lesson's checks, the class still is.
    module, node = classes[0]
    place = module.location(module.header(node)) if context.frame is None else None
    return Unregistered(place, facts, classes=classes)


def none_argument(context: FailureContext) -> AtFrame | None:
    """None stands for a missing array and is used as one."""
    name = _none_name(context.frame) if context.frame is not None else ""
    return at_frame(context, {"name": name, "argument": name}) if name else None


def _none_name(frame: FrameContext) -> str:
    """Name the parameter, or the attribute, that is None in the expression at fault."""
    given = {a.arg for a in parameters(frame.function)}
    part = _only_part(frame.node)
    if part is not None and isinstance(part.value, ast.Name) and part.value.id in given:
        return frame.module.text(part)
    for node in ast.walk(frame.node) if frame.node is not None else ():
        if isinstance(node, ast.Name) and node.id in given and frame.kind(node) == "none":
            return node.id
        if isinstance(node, ast.Attribute) and frame.kind(node) == "none":
            return frame.module.text(node)
    return ""


def _only_part(node: ast.AST | None) -> ast.Subscript | None:
    """Find the one part of a parameter (`p["b"]`) among the operands of an operation."""
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    parts = [n for n in operands if isinstance(n, ast.Subscript)]
    return parts[0] if len(parts) == 1 else None


# ---------------------------------------------------------------- shapes and containers


def where_shapes(context: FailureContext) -> AtCall | None:
    """A jnp.where over one boolean chooses between two shapes."""
    call = at_call(context)
    shapes = re.search(r"\[\(([\d, ]+)\), \(([\d, ]+)\)\]$", context.message)
    if call is None or call.path != "jax.numpy.where" or shapes is None or len(call.node.args) != 3:
        return None
    test = call.node.args[0]
    is_one = isinstance(test, ast.Compare) and all(
        isinstance(part, ast.Constant) or _is_scalar(call.frame, part)
        for part in (test.left, *test.comparators)
    )
    facts = {"condition": call.module.text(test)}
    facts |= {"argument": f"({shapes[1]})", "container": f"({shapes[2]})"}
    return replace(call, facts=facts) if is_one or _is_scalar(call.frame, test) else None


def _is_scalar(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    return fact is not None and (fact.kind == "number" or fact.detail.endswith("[]"))


def broadcast(context: FailureContext) -> AtFrame | None:
    """Two shapes cannot be broadcast together."""
    in_loop = context.passed_through("scan", "while_loop", "cond", "shard_map")
    return None if in_loop else at_frame(context)


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
    return call if _is_array(call.frame, first) and not _is_number(second) else None


def joins(path: str | None) -> bool:
    """Return whether a function makes one array of a sequence of them."""
    is_library = (path or "").startswith(("jax.", "numpy."))
    return is_library and (path or "").rpartition(".")[2] in _JOINING


def _is_array(frame: FrameContext, node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.Starred):
        return False
    return frame.kind(node) in ("array", "tracer", "ndarray", None)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def ragged(context: FailureContext) -> AtFrame | None:
    """An array is made of lists of unequal length."""
    path = context.frame.callee(context.node) if context.frame is not None else None
    is_made = path in ("jax.numpy.array", "jax.numpy.asarray")
    is_said = "inhomogeneous shape" in context.message
    return at_frame(context) if is_said or is_made else None


def list_argument(context: FailureContext) -> AtFrame | None:
    """A list is passed to a jnp function that takes arrays only."""
    found = _NOT_TAKEN.search(context.message) or _NOT_OPERAND.search(context.message)
    return at_frame(context, {"name": "list"}) if found is not None else None


def python_scalar(context: FailureContext) -> AtFrame | None:
    """An attribute that only an array has is read from a Python number."""
    found, node = _SCALARS.search(context.message), context.node
    if found is None or found[2] not in _ARRAY_NAMES or context.frame is None:
        return None
    if not isinstance(node, ast.Attribute):
        return at_frame(context)
    return at_frame(context, {"name": context.frame.module.text(node.value)})
