"""Matches and fixes branches of cond, switch and piecewise whose results differ."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.loops.field_numbers import (
    field_number,
    other_number,
)
from jaxtutor.core.diagnosis.causes.loops.loops import InLoop, in_loop
from jaxtutor.core.diagnosis.causes.loops.missing_returns import returns_nothing
from jaxtutor.core.diagnosis.causes.loops.state_classes import make_objects
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    definition_place,
    name_of,
    result_place,
    same_call,
)
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import (
    parameter_names,
    parameters,
    result_of,
    returned,
)
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import is_integer, is_none, is_number, is_python_scalars

_CLASSES = re.compile(
    r"(?P<first>\S+) output is a <class '(?P<one>[^']*)'> but "
    r"(?P<second>\S+) output is a <class '(?P<other>[^']*)'>"
)
_BRANCH_TYPES = re.compile(
    r"has type \w+\[([\d,]*)\] but the corresponding output of \S+ has type \w+\[([\d,]*)\]"
)


def branch_shape(context: FailureContext) -> InLoop | None:
    """The branches of a cond or switch return different shapes."""
    said = _BRANCH_TYPES.search(context.message)
    found = in_loop(context, "cond", "switch") if said is not None else None
    if found is None or said is None or said[1] == said[2]:
        return None
    # A number beside an array is written as one: that is a matter of one branch alone.
    if not said[1] or not said[2]:
        return None
    return replace(found, facts={"argument": _dims_text(said[1]), "container": _dims_text(said[2])})


def _dims_text(dims: str) -> str:
    return f"({dims})" if "," in dims else f"({dims},)"


def branch_dtype(context: FailureContext) -> AtFrame | None:
    """The branches of a cond or switch return different dtypes or shapes."""
    field = field_number(context)
    if field is not None:
        return field
    found = in_loop(context, "cond", "switch")
    if found is None or found.loop is None:
        return found
    plain = [f for f in same_call(found.loop) if _returns_number(f)]
    if len(plain) != 1:
        return found
    return replace(found, place=result_place(found.loop.module, plain[0]), function=plain[0])


def _returns_number(function: FunctionNode) -> bool:
    values = returned(function)
    return bool(values) and all(v is not None and _has_number(v) for v in values)


def _has_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return any(_has_number(v) for v in value.elts)
    return is_python_scalars(value)


def _same_results(found: InLoop) -> Drafts:
    loop = found.loop
    if loop is None:
        return
    values = [(f, value) for f in same_call(loop) if (value := result_of(f)) is not None]
    for function, value in values:
        if is_integer(value):
            yield Draft(loop.module).after(value, ".0")
        if is_number(value):
            yield _like_operand(loop, function, value)
    types = re.findall(r"(\w+?)\[[\d,]*\]", found.context.message)
    floats = [t for t in types if t.startswith(("float", "bfloat"))]
    for _, value in values:
        if floats and not isinstance(value, ast.Tuple):
            draft = Draft(loop.module)
            wanted = draft.name(f"jax.numpy.{floats[0]}")
            yield draft.wrap(value, f"{draft.name('jax.numpy.asarray')}(", f", {wanted})")


def _like_operand(loop: AppliedTransform, function: FunctionNode, value: ast.expr) -> Draft | None:
    """Give a plain number the shape of the branch's operand."""
    given = parameters(function)
    if len(given) != 1:
        return None
    draft, text = Draft(loop.module), loop.module.text(value)
    name = given[0].arg
    return draft.replace(value, f"{draft.name('jax.numpy.full_like')}({name}, {text})")


def branch_structure(context: FailureContext) -> InLoop | None:
    """The branches of a cond or switch return different pytrees."""
    found = in_loop(context, "cond", "switch")
    if found is None or found.loop is None:
        return found
    empty = [f for f in same_call(found.loop) if returns_nothing(f) or _only_returns_none(f)]
    if len(empty) != 1:
        return _of_classes(context, found)
    place = definition_place(found.loop.module, empty[0])
    return replace(found, place=place, facts={"function": name_of(empty[0])}, function=empty[0])


def _of_classes(context: FailureContext, found: InLoop) -> InLoop:
    said = _CLASSES.search(context.message)
    if said is None or found.loop is None:
        return found
    one, other = (last_part(said[name]) for name in ("one", "other"))
    facts = {"name": said["first"], "argument": one, "function": said["second"], "container": other}
    plain = [f for f in same_call(found.loop) if isinstance(result_of(f), ast.Tuple | ast.List)]
    place = result_place(found.loop.module, plain[0]) if len(plain) == 1 else found.place
    return replace(found, facts=facts, form="classes", place=place)


def _only_returns_none(function: FunctionNode) -> bool:
    return all(is_none(v) for v in returned(function))


def same_structure(found: InLoop) -> Drafts:
    """Let a branch that returns nothing return its operand."""
    loop = found.loop
    if loop is None:
        return
    functions = same_call(loop)
    for function in functions:
        names = parameter_names(function)
        given = names[0] if len(names) == 1 else f"({', '.join(names)})"
        value = result_of(function)
        if names and is_none(value):
            yield Draft(loop.module).replace(value, given)
    yield _list_to_tuple(loop, functions)
    classes = {found.facts.get("argument", ""), found.facts.get("container", "")}
    if found.form == "classes" and "tuple" in classes:
        yield from make_objects(found, (classes - {"tuple"}).pop())


def _list_to_tuple(loop: AppliedTransform, functions: list[FunctionNode]) -> Draft | None:
    values = [result_of(f) for f in functions]
    lists = [v for v in values if isinstance(v, ast.List)]
    if len(lists) != 1 or not any(isinstance(v, ast.Tuple) for v in values):
        return None
    inner = loop.module.text(lists[0])[1:-1]
    return Draft(loop.module).replace(lists[0], f"({inner})")


def piecewise(context: FailureContext) -> AtCall | None:
    """The pieces of jnp.piecewise are arrays, and not functions."""
    call = at_call(context)
    pieces = argument(call.node, 2, "funclist") if call is not None else None
    if call is None or call.path != "jax.numpy.piecewise":
        return None
    if not isinstance(pieces, ast.List | ast.Tuple):
        return None
    values = [p for p in pieces.elts if not isinstance(p, ast.Lambda | ast.Constant)]
    named = [p for p in values if call.frame.kind(p) == "function"]
    if not values or named:
        return None
    return replace(call, facts={"name": call.module.text(values[0])})


def functions_of_piecewise(found: AtCall) -> Drafts:
    """Turn the pieces into functions of the array."""
    given, pieces = argument(found.node, 0, "x"), argument(found.node, 2, "funclist")
    if not isinstance(given, ast.Name) or not isinstance(pieces, ast.List | ast.Tuple):
        return
    draft = Draft(found.module)
    for piece in pieces.elts:
        if not isinstance(piece, ast.Lambda | ast.Constant):
            draft.before(piece, f"lambda {given.id}: ")
    yield draft


RULES = (
    Rule(
        "piecewise-takes-functions",
        raised(piecewise),
        functions_of_piecewise,
        before=("cond-branch-dtype-mismatch",),
    ),
    Rule(
        "cond-branch-shape-mismatch", raised(branch_shape), before=("cond-branch-dtype-mismatch",)
    ),
    Rule("cond-branch-dtype-mismatch", raised(branch_dtype), by_match(_same_results, other_number)),
    Rule("cond-branch-structure-mismatch", raised(branch_structure), same_structure),
)
