"""Extracts from a verdict what its learner may see: no hidden answers, no part of the solution."""

from __future__ import annotations

from msgspec import Struct

from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.judging.arrays import tree_text
from jaxtutor.core.judging.compare import begin_sentence, describe
from jaxtutor.core.judging.fault_texts import TAMPERED

HIDDEN = "A call that the page does not show gives a wrong answer"
CHANGED = "It changes or reads what the check relies on."


class Evidence(Struct, frozen=True):
    """Why a check failed. The calls of the lesson's page are shown with both answers."""

    check: str
    says: str
    problem: str
    inputs: str = ""
    expected: str = ""
    actual: str = ""
    relation: str = ""


def find_evidence(verdict: Verdict) -> Evidence | None:
    """Return why a submission did not pass; None if it passed or if no check failed."""
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    if failed is None:
        return None
    relation = begin_sentence(verdict.misconception or _without_answers(verdict.relation))
    if failed.says == TAMPERED:  # the detail may quote the answer to a hidden call
        return Evidence(failed.name, failed.says, CHANGED)
    if failed.case is None:
        return Evidence(failed.name, failed.says, begin_sentence(failed.detail))
    if not failed.case.visible:
        return Evidence(failed.name, failed.says, _hidden(failed.case), relation=relation)
    return _shown(failed, failed.case, relation)


def _without_answers(relation: str) -> str:
    """Drop a relation that quotes an expected number: it may be that of a hidden call."""
    return "" if " instead of " in relation else relation


def _hidden(case: CaseResult) -> str:
    return f"{HIDDEN}: {case.reason}." if case.reason else f"{HIDDEN}."


def _shown(check: CheckResult, case: CaseResult, relation: str) -> Evidence:
    return Evidence(
        check.name,
        check.says,
        begin_sentence(case.problem),
        case.inputs,
        _text(case.expected),
        _text(case.actual),
        relation,
    )


def _text(tree: Tree | None) -> str:
    return "" if tree is None else f"{tree_text(tree)}  {describe(tree)}"
