"""Finds a softmax of scores times a mask, in which the masked ones keep a part."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in
from jaxtutor.core.diagnosis.reading.masks import is_mask
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.patterns import find, matches
from jaxtutor.core.diagnosis.reading.values import is_number

_SOFTMAX = tuple(
    f"{home}.{name}({given})"
    for home in ("jax.nn", "flax.linen", "flax.nnx")
    for name in ("softmax", "log_softmax")
    for given in ("$given, ...", "..., x=$given")
)


class MaskedScores(Finding, frozen=True, kw_only=True):
    """A product of scores and a mask."""

    scores: ast.expr
    mask: ast.expr


def read_masked_scores(module: Module) -> Iterator[MaskedScores]:
    """Yield each product of scores and a mask that a softmax gets."""
    for call, found in find(module, *_SOFTMAX):
        product = bound_value(module, found["given"])
        sides = masked_sides(module, product)
        if sides is None or _masks_again(module, call, sides[1]):
            continue
        scores, mask = sides
        facts = {"name": module.text(mask), "argument": module.text(scores)}
        yield MaskedScores(module=module, node=product, facts=facts, scores=scores, mask=mask)


def masked_sides(module: Module, node: ast.AST | None) -> tuple[ast.expr, ast.expr] | None:
    """Return the scores and the mask of a product; None if it is not a product of the two."""
    for product in matches(module, node, "$scores * $mask"):
        scores, mask = product["scores"], product["mask"]
        if is_mask(module, mask) and not _reads_mask(scores, mask) and not is_number(scores):
            return scores, mask
    return None


def _reads_mask(node: ast.AST, mask: ast.AST) -> bool:
    """Return whether some code reads a name of a mask too."""
    return bool(names_in(node) & _named(mask))


def _named(mask: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(mask) if isinstance(n, ast.Name)}


def _masks_again(module: Module, call: ast.expr, mask: ast.expr) -> bool:
    """Return whether the weights are masked as well: normalised again, they are right."""
    statement = module.statement(call)
    names = bound_names(statement) if statement is not None else set()
    inside = set(ast.walk(call))
    for node in ast.walk(module.scope(call)):
        if not isinstance(node, ast.BinOp | ast.Call) or node in inside:
            continue
        parts = [n for n in ast.walk(node) if n not in inside]
        is_masked = any(isinstance(n, ast.Name) and n.id in _named(mask) for n in parts)
        if is_masked and (names & names_in(node) or call in ast.walk(node)):
            return True
    return False


def choose_scores(found: MaskedScores) -> Drafts:
    """Give masked scores a number so low that their part is zero."""
    module, draft = found.module, Draft(found.module)
    scores, mask = module.text(found.scores), module.text(found.mask)
    where = draft.name("jax.numpy.where")
    yield draft.replace(found.node, f"{where}({mask}, {scores}, -1e9)")


RULES = (Rule("mask-times-scores", read(read_masked_scores, imports=TRAINING), choose_scores),)
