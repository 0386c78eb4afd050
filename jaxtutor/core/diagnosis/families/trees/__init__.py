"""Causes in pytrees: treated as if they were arrays, or of different structures."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.trees import arithmetic, structures
from jaxtutor.core.diagnosis.rules import rule

RULES = (rule("pytree-in-arithmetic", arithmetic.tree_operand, arithmetic.map_leaves),)
# After the causes of loops, whose carries are trees that differ as well.
STRUCTURES = (rule("pytree-structure-mismatch", structures.structure_mismatch),)
