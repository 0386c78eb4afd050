"""Causes in the declaration of classes, and in the imports of a script."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.classes import defaults, imports
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("mutable-field-default", defaults.mutable_default, defaults.unchangeable_default),
    rule("relative-import-in-script", imports.relative_in_script, imports.import_by_name),
)
