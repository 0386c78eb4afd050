"""Proposes the edits that may fix a mistake, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Edit, Patch, show_diff
from jaxtutor.core.diagnosis.families import FINDING_FIXES, RULES
from jaxtutor.core.diagnosis.rules import Drafts, Finding, Match, Rule
from jaxtutor.core.diagnosis.source import read_module

__all__ = ["FIXED", "MOST", "Edit", "Patch", "propose", "show_diff"]

MOST = 3  # edits proposed for one diagnosis
_RULES: Mapping[str, Rule] = {rule.slug: rule for rule in RULES}
_FINDING_FIXES = {item.slug: item.fix for item in FINDING_FIXES}
# The causes for which an edit is known.
FIXED = frozenset(_FINDING_FIXES) | {rule.slug for rule in RULES if rule.fix is not None}


def propose(
    diagnosis: Diagnosis, failure: Failure | None, sources: Mapping[str, str]
) -> Iterator[Patch]:
    """Propose edits that may fix a mistake, the likeliest first; none where no edit is known.

    `failure` is what was diagnosed, and None for a finding. Each edit leaves Python that parses;
    whether it fixes the program is decided by running it.
    """
    return islice(_patches(diagnosis, failure, sources), MOST)


def _patches(
    diagnosis: Diagnosis, failure: Failure | None, sources: Mapping[str, str]
) -> Iterator[Patch]:
    seen: set[Patch] = set()
    with suppress(RecursionError):  # code nested more deeply than it can be walked
        for draft in _drafts(diagnosis, failure, sources):
            patch = draft.patch() if draft is not None else None
            if patch is not None and patch not in seen:
                seen.add(patch)
                yield patch


def _drafts(diagnosis: Diagnosis, failure: Failure | None, sources: Mapping[str, str]) -> Drafts:
    rule = _RULES.get(diagnosis.cause or "")
    if rule is not None and rule.fix is not None and failure is not None:
        match = _match_again(rule, diagnosis, FailureContext(failure, sources), sources)
        if match is not None:
            return rule.fix(match)
    fix = _FINDING_FIXES.get(diagnosis.cause or "")
    finding = _finding(diagnosis, sources) if fix is not None else None
    return fix(finding) if fix is not None and finding is not None else ()


def _match_again(
    rule: Rule, diagnosis: Diagnosis, outer: FailureContext, sources: Mapping[str, str]
) -> Match | None:
    """Find the match that a diagnosis was made from: the one with its place."""
    for context in (outer, *outer.linked_contexts(sources)):
        match = rule.locate(context)
        place = match and (match.place or context.place() or outer.place())
        if place and (place.file, place.span) == (diagnosis.file, diagnosis.span):
            return match
    return None


def _finding(diagnosis: Diagnosis, sources: Mapping[str, str]) -> Finding | None:
    """Return the node that a diagnosis points at; the statement there if no node fits exactly."""
    read = ((file, read_module(file, text)) for file, text in sources.items())
    modules = {file: module for file, module in read if module is not None}
    module, span = modules.get(diagnosis.file), diagnosis.span
    if module is None or span is None:
        return None
    node = module.node_at(span) or module.statement_on(span.line)
    return Finding(modules=modules, module=module, node=node) if node is not None else None
