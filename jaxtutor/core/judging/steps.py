"""Judges a step of a project: its own checks, then that the earlier steps still hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from jaxtutor.core.data.verdicts import CheckResult, Verdict

_STEP = re.compile(r"step-(\d+)")


def join_steps(own: Verdict, titles: Sequence[str], earlier: Sequence[Verdict]) -> Verdict:
    """Join the verdict on a step, which passed, with the verdicts on the steps before it.

    `titles` are those of all earlier steps, `earlier` the verdicts up to the first that failed:
    what that one says is the verdict, under the name of the present step.
    """
    checks = [*own.checks]
    for number, title in enumerate(titles, 1):
        says = f"Step {number} still holds: {title}."
        verdict = earlier[number - 1] if number <= len(earlier) else None
        checks.append(_check(f"step-{number}", says, verdict))
    total = own.seconds + sum(verdict.seconds for verdict in earlier)
    failed = next((verdict for verdict in earlier if verdict.status != "passed"), None)
    if failed is None:
        return replace(own, checks=tuple(checks), seconds=total)
    headline = f"step {len(earlier)} no longer holds: {failed.headline}"
    return replace(
        failed, lesson=own.lesson, headline=headline, checks=tuple(checks), seconds=total
    )


def _check(name: str, says: str, verdict: Verdict | None) -> CheckResult:
    """Turn the verdict on an earlier step into one check; None means that it was not run."""
    if verdict is None:
        return CheckResult(name, says, "skipped")
    if verdict.status == "passed":
        return CheckResult(name, says, "passed", verdict.seconds)
    failed = next((it for it in verdict.checks if it.status == "failed"), None)
    if failed is None:
        return CheckResult(name, says, "failed", verdict.seconds, verdict.headline)
    title = f"{says.partition(':')[0].replace('still', 'no longer')}. {failed.title or failed.says}"
    return replace(failed, name=name, says=says, seconds=verdict.seconds, title=title)


def failed_step(verdict: Verdict) -> int:
    """Return the number of the earlier step that failed; 0 if none did."""
    failed = next((it.name for it in verdict.checks if it.status == "failed"), "")
    found = _STEP.fullmatch(failed)
    return int(found[1]) if found else 0
