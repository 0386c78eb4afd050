"""Causes that are plain Python: names that are gone, misspelt or missing, and arity."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.names import fix, match
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("removed-api", match.removed, fix.write_new_name),
    rule("missing-import", match.missing_import, fix.add_import),
    rule("attribute-typo", match.attribute_typo, fix.spell_attribute),
    rule("name-typo", match.name_typo, fix.spell_name),
    rule("wrong-arity", match.wrong_arity, fix.fit_call),
)
