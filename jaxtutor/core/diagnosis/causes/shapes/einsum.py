"""Matches and fixes labels of `einsum` that stand for axes of different sizes."""

from __future__ import annotations

import ast
import re
from itertools import permutations

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame

_SIZES = re.compile(r"Size of label '(\w)' for operand (\d+) \((\d+)\)")
_COUNT = re.compile(r"subscript '?(\w+)'? does not contain the correct number of indices")
_TYPE = re.compile(r"\w+\[([\d,]+)\]$")


MOST_LABELS = 5
"""Labels of one operand whose orders are tried: five have 120."""


class Labels(AtFrame, frozen=True, kw_only=True):
    """The labels of an einsum; `meant` is the only order of them that fits the sizes, if any."""

    equation: ast.Constant
    meant: str


def labels(context: FailureContext) -> Labels | None:
    """A label of an einsum stands for axes of different sizes, or an operand has another rank."""
    frame, call = context.frame, context.call
    if frame is None or call is None or not call.args or "einsum" not in frame.module.text(call):
        return None
    equation = call.args[0]
    said, counted = _SIZES.search(context.message), _COUNT.search(context.message)
    if not isinstance(equation, ast.Constant) or not isinstance(equation.value, str):
        return None
    if said is None and counted is None:
        return None
    inputs, arrow, output = equation.value.replace(" ", "").partition("->")
    terms, shapes = inputs.split(","), [_operand_shape(frame, a) for a in call.args[1:]]
    if len(terms) != len(shapes) or "." in equation.value:
        return None
    meant = _orders(terms, shapes, _other_results(frame, call)) if said is not None else []
    written = f"{','.join(meant[0])}{arrow}{output}" if len(meant) == 1 else ""
    pairs = zip(terms, call.args[1:], shapes, strict=True)
    parts = [f"`{t}` is `{frame.module.text(a)}`, {_label_sizes(t, s)}" for t, a, s in pairs if s]
    facts = {
        "name": said[1] if said is not None else "",
        "detail": "; ".join(parts),
        "argument": f'"{written}"',
    }
    form = "einsum_order" if written else "einsum" if said is not None else "einsum_rank"
    return Labels(None, facts, form, context=context, equation=equation, meant=written)


def _operand_shape(frame: FrameContext, node: ast.expr) -> tuple[int, ...]:
    """Return the shape of an operand that is a name; empty where it is not known."""
    fact = frame.fact(node)
    said = _TYPE.search(fact.detail) if fact is not None else None
    return tuple(map(int, said[1].split(","))) if said is not None else ()


def _label_sizes(term: str, shape: tuple[int, ...]) -> str:
    """Write the size that each label stands for."""
    if len(term) != len(shape):
        return f"of shape {shape}"
    return "with " + ", ".join(f"{label} = {size}" for label, size in zip(term, shape, strict=True))


def _other_results(frame: FrameContext, call: ast.Call) -> set[str]:
    """List the labels of the results of the function's other einsums: their order is right."""
    nodes = ast.walk(frame.function or frame.module.tree)
    others = [n.value for n in nodes if isinstance(n, ast.Constant) and n is not call.args[0]]
    equations = [v.replace(" ", "") for v in others if isinstance(v, str) and "->" in v]
    return {equation.rpartition("->")[2] for equation in equations}


def _orders(terms: list[str], shapes: list[tuple[int, ...]], made: set[str]) -> list[list[str]]:
    """List the equations that fit the sizes and differ in the order of one operand's labels."""
    if any(len(t) != len(s) for t, s in zip(terms, shapes, strict=True)):
        return []
    found = []
    for position, term in enumerate(terms):
        is_open = len(term) <= MOST_LABELS and term not in made
        orders = {"".join(p) for p in permutations(term)} - {term} if is_open else set()
        for order in sorted(orders):
            changed = [*terms[:position], order, *terms[position + 1 :]]
            if _labels_fit(changed, shapes):
                found.append(changed)
    return found


def _labels_fit(terms: list[str], shapes: list[tuple[int, ...]]) -> bool:
    sizes: dict[str, int] = {}
    pairs = [p for t, s in zip(terms, shapes, strict=True) for p in zip(t, s, strict=True)]
    return all(sizes.setdefault(label, size) == size for label, size in pairs)


def reorder_labels(found: Labels) -> Drafts:
    """Name the axes in the order in which the operand has them."""
    if found.meant:
        yield Draft(found.module).certain().replace(found.equation, f'"{found.meant}"')
