"""Causes in statements that unpack a value into another number of names than it has parts."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.unpacking import fields, fix, library, match, records
from jaxtutor.core.diagnosis.rules import rule

RULES = (rule("unpack-count-mismatch", match.wrong_count, fix.fit_names),)
WHOLE = (
    rule("result-field-not-taken", records.result_meant, fields.take_field),
    rule("result-not-unpacked", library.result_not_unpacked, library.take_apart),
)
"""Asked before the arguments: a tuple is refused as an array in many words."""
