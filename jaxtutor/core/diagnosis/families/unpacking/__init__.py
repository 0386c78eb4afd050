"""Causes in statements that unpack a value into another number of names than it has parts."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.unpacking import fix, match
from jaxtutor.core.diagnosis.rules import rule

RULES = (rule("unpack-count-mismatch", match.wrong_count, fix.fit_names),)
