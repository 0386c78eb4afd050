"""Lists the sentences that a verdict shows."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.verdicts import Verdict


def sentences_of(verdict: Verdict) -> Iterator[str]:
    """Yield what a verdict says, without the learner's own code and values."""
    yield from (finding.summary for finding in verdict.beside)
    if verdict.status == "passed":  # its checks are only counted
        return
    yield verdict.headline
    for diagnosis in filter(None, (verdict.diagnosis, *verdict.findings)):
        yield from _of_diagnosis(diagnosis)
    yield from (verdict.misconception, verdict.relation, verdict.hint)
    for check in verdict.checks:
        if check.status != "skipped":
            yield from (check.title, check.detail, check.says)


def _of_diagnosis(diagnosis: Diagnosis) -> Iterator[str]:
    yield diagnosis.summary
    yield from (step.aval for step in diagnosis.origin)
    yield from (diagnosis.advice, diagnosis.message)
