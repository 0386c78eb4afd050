"""Owns the causes in shapes and containers."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext, Match

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


def broadcast(scene: FailureContext) -> Match | None:
    """Two shapes cannot be broadcast together."""
    if scene.error not in ("TypeError", "ValueError") or scene.level is None:
        return None
    if not _BROADCAST.search(scene.message) or _CONTRACTION.search(scene.message):
        return None
    in_loop = scene.passed_through("scan", "while_loop", "cond", "shard_map")
    return None if in_loop else Match()


def matmul(scene: FailureContext) -> Match | None:
    """The contracted dimensions of a product differ."""
    known = scene.error in ("TypeError", "ValueError") and _CONTRACTION.search(scene.message)
    return Match() if known else None


def one_example(scene: FailureContext) -> Match | None:
    """A function under vmap still counts the batch axis."""
    if scene.failure.transformation != "vmap" or scene.error not in ("ValueError", "IndexError"):
        return None
    return Match() if _is_one_axis_short(scene) else None


def _is_one_axis_short(scene: FailureContext) -> bool:
    """Tell whether one more axis would have been enough."""
    message = scene.message
    if found := _OUT_OF_AXES.search(message):
        return int(found[1]) in (int(found[2]), -int(found[2]) - 1)
    if found := _TOO_MANY.search(message):
        return int(found[2]) == int(found[1]) + 1
    if found := _UNPACK.search(message):
        return int(found[1]) == int(found[2]) + 1 and _unpacks_shape(scene.level)
    if message == "tuple index out of range":
        return _reads_shape(scene.node) or scene.passed_through("_mean", "mean", "_var", "_std")
    return False


def _reads_shape(node: ast.AST | None) -> bool:
    value = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(value, ast.Attribute) and value.attr == "shape"


def _unpacks_shape(level: FrameContext | None) -> bool:
    statement = level.statement if level is not None else None
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Attribute) and value.attr == "shape"


def not_sequence(scene: FailureContext) -> Match | None:
    """Arrays are passed to concatenate or stack as separate arguments."""
    level, node = scene.level, scene.node
    if level is None or not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    if not joins(level.callee(node)):
        return Match() if _is_handed_over(scene, level, node) else None
    if scene.error not in ("TypeError", "ValueError", "TracerIntegerConversionError"):
        return None
    first, second = node.args[:2]
    return Match() if _is_array(level, first) and not _is_number(second) else None


def joins(path: str | None) -> bool:
    """Tell whether a function makes one array of a sequence of them."""
    is_library = (path or "").startswith(("jax.", "numpy."))
    return is_library and (path or "").rpartition(".")[2] in _JOINING


def _is_handed_over(scene: FailureContext, level: FrameContext, node: ast.Call) -> bool:
    """Tell whether `jnp.stack` itself was handed over, and given its arrays one by one."""
    is_refused = scene.error in ("TypeError", "ValueError", "TracerIntegerConversionError")
    return is_refused and scene.passed_through(*_JOINING) and joins(level.dotted(node.args[0]))


def _is_array(level: FrameContext, node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.Starred):
        return False
    return level.kind(node) in ("array", "tracer", "ndarray", None)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def ragged(scene: FailureContext) -> Match | None:
    """An array is asked for of lists of unequal length."""
    said = scene.error == "ValueError" and "inhomogeneous shape" in scene.message
    path = scene.level.callee(scene.node) if scene.level is not None else None
    is_made = path in ("jax.numpy.array", "jax.numpy.asarray")
    differ = is_made and "arrays with shapes that differ" in scene.message
    return Match() if said or differ else None


def list_argument(scene: FailureContext) -> Match | None:
    """A list is handed to a jnp function that takes arrays only."""
    if scene.error != "TypeError":
        return None
    found = _NOT_TAKEN.search(scene.message) or _NOT_OPERAND.search(scene.message)
    return Match(facts={"name": "list"}) if found is not None else None


def python_scalar(scene: FailureContext) -> Match | None:
    """What only an array has is asked of a Python number."""
    found = _SCALARS.search(scene.message) if scene.error == "AttributeError" else None
    if found is None or found[2] not in _ARRAY_NAMES:
        return None
    node = scene.node
    value = node.value if isinstance(node, ast.Attribute) else None
    level = scene.level
    facts = {"name": level.module.text(value)} if level is not None and value is not None else {}
    return Match(facts=facts)


MATCHERS = (
    ("vmap-body-sees-one-example", one_example),
    ("concat-not-sequence", not_sequence),
    ("ragged-list", ragged),
    ("list-argument", list_argument),
    ("python-scalar-not-array", python_scalar),
    ("shape-mismatch-matmul", matmul),
    ("shape-mismatch-broadcast", broadcast),
)
