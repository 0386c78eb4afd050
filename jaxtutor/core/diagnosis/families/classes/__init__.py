"""Causes in the imports of a script."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.classes import imports
from jaxtutor.core.diagnosis.rules import rule

RULES = (rule("relative-import-in-script", imports.relative_in_script, imports.import_by_name),)
