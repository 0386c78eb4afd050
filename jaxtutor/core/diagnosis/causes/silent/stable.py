"""Writes expressions that overflow with the function of JAX that does not."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxtutor.core.data.observations import NotFinite, PrintedNotFinite
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.observed.not_finite import not_finite, stable_form, unstable


def use_stable(found: Finding) -> Drafts:
    """Call the stable function in place of the logarithm."""
    node, module = found.node, found.module
    stable = stable_form(module, node) if isinstance(node, ast.Call) else None
    if stable is None:
        return
    draft = Draft(module)
    given = ", ".join(module.text(argument) for argument in stable.arguments)
    yield draft.replace(node, f"{draft.name(stable.path)}({given})")


def _comes_from_lookup(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether the NaN may be what a lookup gives for an index out of range."""
    return not found.form and any(slug == "out-of-bounds-clamped" for slug, _ in others)


RULES = (
    Rule(
        "result-not-finite",
        observed((NotFinite, not_finite), (PrintedNotFinite, unstable)),
        use_stable,
        is_echo=_comes_from_lookup,
    ),
)
