"""Lists the rules of all families, the more specific before the more general."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families import (
    arguments,
    arrays,
    booleans,
    calls,
    control_flow,
    devices,
    effects,
    extending,
    flax,
    gradients,
    libraries,
    names,
    randomness,
    sharding,
    silent,
    sizes,
    static_args,
    training,
    values,
    vmap,
)
from jaxtutor.core.diagnosis.rules import FindingFix, Rule

RULES: tuple[Rule, ...] = (
    *flax.RULES,
    *libraries.RULES,
    *effects.RULES,
    *silent.RULES,
    *extending.RULES,
    *sharding.RULES,
    *devices.RULES,
    *randomness.RULES,
    *booleans.RULES,
    *sizes.RULES,
    *values.RULES,
    *arguments.ITERATORS,
    *static_args.RULES,
    *arrays.RULES,
    *gradients.RULES,
    *calls.RULES,
    *control_flow.RULES,
    *vmap.RULES,
    *arguments.RULES,
    *names.RULES,
)
FINDING_FIXES: tuple[FindingFix, ...] = (
    *effects.FINDING_FIXES,
    *silent.FINDING_FIXES,
    *randomness.FINDING_FIXES,
    *values.FINDING_FIXES,
    *static_args.FINDING_FIXES,
    *arrays.FINDING_FIXES,
    *gradients.FINDING_FIXES,
    *control_flow.FINDING_FIXES,
    *vmap.FINDING_FIXES,
    *training.FINDING_FIXES,
)
