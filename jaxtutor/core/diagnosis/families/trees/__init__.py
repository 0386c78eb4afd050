"""Causes in pytrees that are treated as if they were arrays."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.trees import arithmetic
from jaxtutor.core.diagnosis.rules import rule

RULES = (rule("pytree-in-arithmetic", arithmetic.tree_operand, arithmetic.map_leaves),)
