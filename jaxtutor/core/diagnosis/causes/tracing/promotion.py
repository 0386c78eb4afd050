"""Matches and fixes arithmetic between dtypes where promotion is strict."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, at_node
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_ARRAYS = ("array", "tracer", "ndarray")


class Promotion(AtNode, frozen=True, kw_only=True):
    """An operation between two dtypes; `whole` is the operand of integers, `real` the other."""

    whole: ast.expr | None
    real: ast.expr | None


def refused_promotion(context: FailureContext) -> Promotion | None:
    """An operation needs one dtype, and the program has turned implicit promotion off."""
    found = at_node(context)
    if found is None:
        return None
    node = found.node
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    kinds = [_dtype(found.frame, side) for side in sides]
    whole = [s for s, k in zip(sides, kinds, strict=True) if k.startswith(("int", "uint", "bool"))]
    real = [s for s, k in zip(sides, kinds, strict=True) if k.startswith(("float", "bfloat"))]
    is_known = len(whole) == len(real) == 1
    text = found.module.text
    facts = (
        {"argument": f"{text(whole[0])}.astype({text(real[0])}.dtype)"}
        if is_known
        else {"argument": "x.astype(y.dtype)"}
    )
    return Promotion(
        None,
        facts,
        context=context,
        node=node,
        whole=whole[0] if is_known else None,
        real=real[0] if is_known else None,
    )


def _dtype(frame: FrameContext, node: ast.expr) -> str:
    fact = frame.fact(node)
    return fact.detail.lstrip("~") if fact is not None and fact.kind in _ARRAYS else ""


def convert(found: Promotion) -> Drafts:
    """Convert the integers to the dtype of the floats, as promotion would."""
    if found.whole is not None and found.real is not None:
        whole, real = (atom(found.module, part) for part in (found.whole, found.real))
        draft = Draft(found.module).certain()
        yield draft.replace(found.whole, f"{whole}.astype({real}.dtype)")


RULES = (Rule("promotion-not-allowed", raised(refused_promotion), convert),)
