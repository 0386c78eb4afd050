"""Matches and fixes bodies of `nnx.scan` that return more than the axes declare."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.libraries.flax.slots import SCANS, is_carry
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.values import is_none


class PairAsCarry(InContext, frozen=True, kw_only=True):
    """A pair that the body of `nnx.scan` returns, where its axes declare the carry alone."""

    module: Module
    pair: ast.Tuple
    axes: ast.keyword


def pair_as_carry(context: FailureContext) -> PairAsCarry | None:
    """The body of `nnx.scan` returns a carry and an output, and `out_axes` names a carry only."""
    for module in context.modules.values():
        for call in module.calls:
            if module.dotted(call.func) not in SCANS:
                continue
            axes, function = keyword_of(call, "out_axes"), _scanned_function(module, call)
            if axes is None or function is None or not is_carry(module, axes.value):
                continue
            pair = result_of(function)
            if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:
                return _pair_as_carry(context, module, pair, axes)
    return None


def _scanned_function(module: Module, call: ast.Call) -> FunctionNode | None:
    """Return the function that a call of `nnx.scan` decorates or gets."""
    outer = module.parents.get(call)
    if isinstance(outer, ast.FunctionDef) and call in outer.decorator_list:
        return outer
    return resolve(module, call.args[0], call) if call.args else None


def _pair_as_carry(
    context: FailureContext, module: Module, pair: ast.Tuple, axes: ast.keyword
) -> PairAsCarry:
    first, second = pair.elts
    carry = module.text(axes.value)
    facts = {
        "name": module.text(pair),
        "argument": module.text(first),
        "condition": module.text(axes),
        "container": f"out_axes=({carry}, 0)",
    }
    is_empty = is_none(second)
    place = module.location(pair)
    form = "" if is_empty else "outputs"
    return PairAsCarry(place, facts, form, context=context, module=module, pair=pair, axes=axes)


def carry_alone(found: PairAsCarry) -> Drafts:
    """Return the carry alone, where there is no output beside it."""
    if not found.form:
        yield Draft(found.module).certain().replace(found.pair, found.facts["argument"])


RULES = (Rule("nnx-scan-returns-pair", raised(pair_as_carry), carry_alone),)
