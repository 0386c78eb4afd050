"""Fixes carries: casts and shapes of the initial one, and what the body returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.loops.carries import (
    CarryMismatch,
    dtype_change,
    leaf_at,
    weak_carry,
)
from jaxtutor.core.diagnosis.causes.loops.extra_axes import (
    fori_change,
    scan_change,
    squeeze_leaves,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import is_number

_DTYPE_POSITIONS = {"zeros": 1, "ones": 1, "full": 2, "array": 1, "asarray": 1, "empty": 1}


def cast_weak_carry(found: CarryMismatch) -> Drafts:
    """Cast every number of the initial carry to the dtype that the body returns."""
    if found.loop is not None and found.made is not None:
        yield _cast_numbers(found.loop.module, found.made, _dtype(found.after))
    yield from cast_carry(found)


def cast_carry(found: CarryMismatch) -> Drafts:
    """Cast the initial carry to the dtype that the body returns: the leaf, then every number."""
    if found.loop is None or found.made is None:
        return
    for change in found.changes:
        leaf, rest = leaf_at(found.made, change.keys)
        draft = Draft(found.loop.module)
        if not rest and _cast(draft, leaf, _dtype(found.after)):
            yield draft
    yield _cast_numbers(found.loop.module, found.made, _dtype(found.after))


def _dtype(written: str) -> str:
    return written.partition("[")[0]


def _dims(written: str) -> str:
    return written.partition("[")[2].partition("]")[0]


def _cast_numbers(module: Module, init: ast.expr, dtype: str) -> Draft | None:
    """Cast every number of an initial carry to a dtype."""
    draft = Draft(module)
    numbers = [n for n in ast.walk(init) if isinstance(n, ast.expr) and is_number(n)]
    for number in numbers:
        if not _is_argument(module, number):
            _cast(draft, number, dtype)
    return draft if numbers else None


def _is_argument(module: Module, node: ast.AST) -> bool:
    """Return whether a number is a size or an index and not a part of a carry."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.UnaryOp):
        return True
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Mult) and parent.right is node
    return isinstance(parent, ast.Call | ast.keyword | ast.Subscript)


def _cast(draft: Draft, leaf: ast.expr, dtype: str) -> bool:
    """Cast a leaf to another dtype where it is created."""
    module = draft.module
    wanted = draft.name(f"jax.numpy.{dtype}") if dtype.isidentifier() else ""
    if not wanted or isinstance(leaf, ast.Tuple | ast.List | ast.Dict):
        return False
    if is_number(leaf):
        text = module.text(leaf)
        is_whole = text.lstrip("-").isdigit()
        if is_whole and dtype in ("float32", "float64"):
            draft.replace(leaf, f"{text}.0")
        else:
            draft.replace(leaf, f"{wanted}({text})")
        return True
    path = module.dotted(leaf.func) if isinstance(leaf, ast.Call) else None
    name = last_part(path)
    if isinstance(leaf, ast.Call) and name in _DTYPE_POSITIONS and path and path[:4] == "jax.":
        given = argument(leaf, _DTYPE_POSITIONS[name], "dtype")
        if given is not None:
            draft.replace(given, wanted)
            return True
    if isinstance(leaf, ast.Call | ast.Name | ast.Attribute | ast.Subscript | ast.BinOp):
        draft.wrap(leaf, f"{draft.name('jax.numpy.asarray')}(", f", {wanted})")
        return True
    return False


def shape_carry(found: CarryMismatch) -> Drafts:
    """Give a scalar initial state the shape that the body returns, or return one element."""
    if found.form == "axis":
        yield from squeeze_leaves(found)
    if found.loop is None or found.made is None or _dims(found.before) not in ("", "1"):
        return
    for change in found.changes:
        leaf, rest = leaf_at(found.made, change.keys)
        for shape in _shapes(found.frame, _dims(found.after)) if not rest else ():
            yield _shaped(Draft(found.loop.module), leaf, shape)


def _shaped(draft: Draft, leaf: ast.expr, shape: str) -> Draft | None:
    text = draft.module.text(leaf)
    if is_number(leaf) and float(ast.literal_eval(leaf)) == 0:
        return draft.replace(leaf, f"{draft.name('jax.numpy.zeros')}({shape})")
    if isinstance(leaf, ast.Constant | ast.UnaryOp | ast.Name | ast.Attribute | ast.Call):
        return draft.replace(leaf, f"{draft.name('jax.numpy.full')}({shape}, {text})")
    return None


def _shapes(frame: FrameContext, dims: str) -> Iterator[str]:
    """Write a shape by the array that has it, else by its numbers."""
    for name, fact in frame.names.items():
        own = re.search(r"\[(.*)\]", fact.detail)
        if fact.kind not in ("tracer", "array", "ndarray") or own is None or not dims:
            continue
        if own[1] == dims:
            yield f"{name}.shape"
        elif own[1].endswith("," + dims):
            yield f"{name}.shape[{own[1].count(',') - dims.count(',')}:]"
    if dims and all(part.isdigit() for part in dims.split(",")):
        yield f"({dims},)" if "," not in dims else f"({dims.replace(',', ', ')})"


RULES = (
    Rule(
        "scan-carry-weak-type",
        raised(weak_carry),
        cast_weak_carry,
        before=("scan-carry-dtype-change",),
    ),
    Rule("scan-carry-dtype-change", raised(dtype_change), cast_carry),
    Rule("fori-carry-shape-change", raised(fori_change), shape_carry),
    Rule("scan-carry-shape-change", raised(scan_change), shape_carry),
)
