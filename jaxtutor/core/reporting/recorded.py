"""Reads what was recorded of an attempt: the headline, the hint, and the names of what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from jaxtutor.core.data.verdicts import Verdict


class _Headline(Struct):
    headline: str


class _Hinted(Struct):
    hint: str = ""


def read_headline(report: str) -> str:
    """Return the headline of a recorded report; empty if it has none."""
    try:
        return msgspec.json.decode(report, type=_Headline).headline
    except msgspec.MsgspecError:
        return ""


def read_hint(report: str) -> str:
    """Return the hint that a recorded verdict showed; empty if it showed none."""
    try:
        return msgspec.json.decode(report, type=_Hinted).hint
    except msgspec.MsgspecError:
        return ""


def failed_names(verdict: Verdict) -> frozenset[str]:
    """Return what failed: the causes, or the check, the class that was raised, the call's reason.

    Where a cause or the mistake is known, a hint for the check would be about something else.
    """
    found = [*verdict.findings, *([verdict.diagnosis] if verdict.diagnosis else [])]
    causes = frozenset(one.cause for one in found if one.cause)
    failed = [check for check in verdict.checks if check.status == "failed"]
    names = {check.name for check in failed}
    names |= {verdict.failure.error_class} if verdict.failure is not None else set()
    names |= {check.case.reason for check in failed if check.case is not None}
    names |= {*verdict.kinds}
    return causes or frozenset(filter(None, names if not verdict.misconception else ()))


class _FailedCheck(Struct):
    name: str
    status: str
    reason: str = ""


class _Named(Struct):
    cause: str | None = None
    error_class: str | None = None


class _Failed(Struct):
    checks: list[_FailedCheck] = []
    kinds: list[str] = []
    misconception: str = ""
    diagnosis: _Named | None = None
    findings: list[_Named] = []


def read_failed(report: str) -> frozenset[str]:
    """Return what failed in a recorded verdict, as `failed_names` does."""
    try:
        read = msgspec.json.decode(report, type=_Failed)
    except msgspec.MsgspecError:
        return frozenset()
    named = [*read.findings, *([read.diagnosis] if read.diagnosis else [])]
    causes = frozenset(one.cause for one in named if one.cause)
    failed = [check for check in read.checks if check.status == "failed"]
    names = {text for check in failed for text in (check.name, check.reason)}
    names |= {*read.kinds, *(one.error_class or "" for one in named)}
    return causes or frozenset(filter(None, names if not read.misconception else ()))
