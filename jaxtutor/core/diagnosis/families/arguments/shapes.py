"""Owns the causes in shapes and containers."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.rules import Match

_BROADCAST = re.compile(
    r"[Ii]ncompatible (?:shapes|types) for broadcasting|could not be broadcast together"
    r"|got incompatible shapes|cannot be broadcast to"
)
_CONTRACTION = re.compile(
    r"contracting dimensions to have the same shape|Size of label '\w+' for operand"
    r"|matmul.*(?:mismatch|incompatible)|(?:mismatch|shapes).* in its core dimension"
    r"|dot_general requires (?:batch|contracting)|dot: dimension_numbers must be specified"
)
_OUT_OF_AXES = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")
_TOO_MANY = re.compile(r"Too many indices.*?(\d+)-dimensional.*?(\d+) (?:were|was) indexed")
_UNPACK = re.compile(r"not enough values to unpack \(expected (\d+), got (\d+)\)")
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


def broadcast(context: FailureContext) -> Match | None:
    """Two shapes cannot be broadcast together."""
    if context.error not in ("TypeError", "ValueError") or context.frame is None:
        return None
    if not _BROADCAST.search(context.message) or _CONTRACTION.search(context.message):
        return None
    in_loop = context.passed_through("scan", "while_loop", "cond", "shard_map")
    return None if in_loop else Match()


def matmul(context: FailureContext) -> Match | None:
    """The contracted dimensions of a product differ."""
    known = context.error in ("TypeError", "ValueError") and _CONTRACTION.search(context.message)
    return Match() if known else None


def not_sequence(context: FailureContext) -> Match | None:
    """Arrays are passed to concatenate or stack as separate arguments."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    if not joins(frame.callee(node)):
        return Match() if _is_handed_over(context, frame, node) else None
    if context.error not in ("TypeError", "ValueError", "TracerIntegerConversionError"):
        return None
    first, second = node.args[:2]
    return Match() if _is_array(frame, first) and not _is_number(second) else None


def joins(path: str | None) -> bool:
    """Tell whether a function makes one array of a sequence of them."""
    is_library = (path or "").startswith(("jax.", "numpy."))
    return is_library and (path or "").rpartition(".")[2] in _JOINING


def _is_handed_over(context: FailureContext, frame: FrameContext, node: ast.Call) -> bool:
    """Tell whether `jnp.stack` itself was handed over, and given its arrays one by one."""
    is_refused = context.error in ("TypeError", "ValueError", "TracerIntegerConversionError")
    return is_refused and context.passed_through(*_JOINING) and joins(frame.dotted(node.args[0]))


def _is_array(frame: FrameContext, node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.Starred):
        return False
    return frame.kind(node) in ("array", "tracer", "ndarray", None)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def ragged(context: FailureContext) -> Match | None:
    """An array is asked for of lists of unequal length."""
    said = context.error == "ValueError" and "inhomogeneous shape" in context.message
    path = context.frame.callee(context.node) if context.frame is not None else None
    is_made = path in ("jax.numpy.array", "jax.numpy.asarray")
    differ = is_made and "arrays with shapes that differ" in context.message
    return Match() if said or differ else None


def list_argument(context: FailureContext) -> Match | None:
    """A list is handed to a jnp function that takes arrays only."""
    if context.error != "TypeError":
        return None
    found = _NOT_TAKEN.search(context.message) or _NOT_OPERAND.search(context.message)
    return Match(facts={"name": "list"}) if found is not None else None


def python_scalar(context: FailureContext) -> Match | None:
    """What only an array has is asked of a Python number."""
    found = _SCALARS.search(context.message) if context.error == "AttributeError" else None
    if found is None or found[2] not in _ARRAY_NAMES:
        return None
    node = context.node
    value = node.value if isinstance(node, ast.Attribute) else None
    frame = context.frame
    facts = {"name": frame.module.text(value)} if frame is not None and value is not None else {}
    return Match(facts=facts)


MATCHERS = (
    ("concat-not-sequence", not_sequence),
    ("ragged-list", ragged),
    ("list-argument", list_argument),
    ("python-scalar-not-array", python_scalar),
    ("shape-mismatch-matmul", matmul),
    ("shape-mismatch-broadcast", broadcast),
)
