"""Causes in the imports of a script."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.imports import relative
from jaxtutor.core.diagnosis.rules import rule

RULES = (rule("relative-import-in-script", relative.relative_in_script, relative.import_by_name),)
