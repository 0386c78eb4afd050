"""Causes in pytrees: treated as if they were arrays or other trees, or of different structures."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.trees import (
    arithmetic,
    counterparts,
    frozen_dicts,
    structures,
)
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("pytree-in-arithmetic", arithmetic.tree_operand, arithmetic.map_leaves),
    rule("train-state-for-params", counterparts.state_for_parameters, counterparts.around),
    rule("module-for-its-state", counterparts.module_for_state, counterparts.around),
    rule("frozen-dict-beside-dict", frozen_dicts.frozen_beside_plain, frozen_dicts.keep_plain),
    rule("flat-dict-for-tree", counterparts.flat_for_nested, counterparts.around),
)
# After the causes of loops, whose carries are trees that differ as well.
STRUCTURES = (rule("pytree-structure-mismatch", structures.structure_mismatch),)
