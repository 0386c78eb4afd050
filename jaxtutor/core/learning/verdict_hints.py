"""Chooses the hint that stands below a verdict.

`progress` does not import this: most commands read a learner's progress and judge nothing.
"""

from __future__ import annotations

from jaxtutor.core.data.lessons import LessonInfo
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.relations.advice import ABOUT_PLACES, ADVICE
from jaxtutor.core.learning.progress import hint_for


def hint_on(info: LessonInfo, verdict: Verdict) -> str:
    """Return the lesson's hint for what failed.

    Where a cause is known, its advice is shown, and of the hints only one for that cause.
    """
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    if failed is None or verdict.status not in ("failed", "raised"):
        return ""
    if causes := known_causes(verdict):
        return hint_for(info, "", causes, ADVICE, ABOUT_PLACES)
    raised = verdict.failure.error_class if verdict.failure is not None else ""
    reason = failed.case.reason if failed.case is not None else verdict.failed_reason
    names = (*verdict.kinds, raised, failed.name)
    return hint_for(info, reason, names, ADVICE, ABOUT_PLACES)


def known_causes(verdict: Verdict) -> list[str]:
    """Return the causes that were named for a verdict."""
    found = [*verdict.findings, *([verdict.diagnosis] if verdict.diagnosis else [])]
    return [one.cause for one in found if one.cause]
