"""Matches and fixes host callbacks whose result is not declared with a shape and a dtype."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import bound_value

_CALLBACKS = ("jax.pure_callback", "jax.experimental.io_callback")
_WIDE = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}


class ResultType(AtCall, frozen=True, kw_only=True):
    """A callback with `declared` in the place of what describes its result."""

    declared: ast.expr


def undescribed_result(context: FailureContext) -> ResultType | None:
    """The result of a callback is declared by a shape alone, by a dtype, or with 64 bits."""
    call = at_call(context)
    if call is None or call.path not in _CALLBACKS:
        return None
    declared = argument(call.node, 1, "result_shape_dtypes")
    if declared is None:
        return None
    is_wide = "64-bit types" in context.message
    is_dtype = "'shape'" in context.message
    if not is_wide and re.search(r"has no attribute '(?:dtype|shape)'", context.message) is None:
        return None
    facts = {"name": call.module.text(call.node.func), "argument": call.module.text(declared)}
    return ResultType(
        None,
        facts,
        "wide" if is_wide else "dtype" if is_dtype else "",
        context=context,
        node=call.node,
        declared=declared,
    )


def describe_result(found: ResultType) -> Drafts:
    """Declare the shape together with a dtype, that of the array whose shape it is first.

    JAX compares the declaration with what the callback returns, so only the right one runs.
    """
    module, declared = found.module, found.declared
    text = module.text(declared)
    if found.form == "wide":
        yield _narrow(found)
        return
    if found.form == "dtype":
        return
    shape = bound_value(module, declared)
    draft = Draft(module).certain()
    described = draft.name("jax.ShapeDtypeStruct")
    if isinstance(shape, ast.Attribute) and shape.attr == "shape":
        array = module.text(shape.value)
        yield draft.replace(declared, f"{described}({text}, {array}.dtype)")
    for dtype in ("float32", "int32"):
        draft = Draft(module).certain()
        described, name = draft.name("jax.ShapeDtypeStruct"), draft.name(f"jax.numpy.{dtype}")
        yield draft.replace(declared, f"{described}({text}, {name})")


def _narrow(found: ResultType) -> Draft:
    """Declare 32 bits in the place of 64, where the declaration names them."""
    draft = Draft(found.module)
    for node in ast.walk(bound_value(found.module, found.declared)):
        name = node.attr if isinstance(node, ast.Attribute) else ""
        if name in _WIDE:
            draft.replace(node, draft.name(f"jax.numpy.{_WIDE[name]}"))
    return draft


def unmapped_callback(context: FailureContext) -> AtCall | None:
    """A callback under vmap does not say how it handles a batch."""
    call = at_call(context)
    if call is None or call.path not in _CALLBACKS:
        return None
    return None if keyword_of(call.node, "vmap_method") else call


def call_for_each(found: AtCall) -> Drafts:
    """Call the function once for each example, which is right for every function."""
    yield add_argument(Draft(found.module).certain(), found.node, 'vmap_method="sequential"')


RULES = (
    Rule("callback-result-not-described", raised(undescribed_result), describe_result),
    Rule("callback-without-vmap-method", raised(unmapped_callback), call_for_each),
)
