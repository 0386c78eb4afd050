"""Lists the rules of all families, the more specific before the more general."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families import (
    arrays,
    booleans,
    control_flow,
    devices,
    gradients,
    randomness,
    silent,
    sizes,
    static_args,
    values,
    vmap,
)
from jaxtutor.core.diagnosis.families.arguments import match as arguments_match
from jaxtutor.core.diagnosis.families.arguments import shapes
from jaxtutor.core.diagnosis.families.effects import caches
from jaxtutor.core.diagnosis.families.effects import match as effects_match
from jaxtutor.core.diagnosis.families.names import match as names_match
from jaxtutor.core.diagnosis.rules import FindingFix, Rule, rule


def _old(matchers): return tuple(rule(s, m, of_any_class=True) for s, m in matchers)


RULES: tuple[Rule, ...] = (
    *_old(effects_match.MATCHERS),
    *_old(caches.MATCHERS),
    *silent.RULES,
    *devices.RULES,
    *randomness.RULES,
    *booleans.RULES,
    *sizes.RULES,
    *values.RULES,
    *static_args.RULES,
    *arrays.RULES,
    *gradients.RULES,
    *control_flow.RULES,
    *vmap.RULES,
    *_old(arguments_match.MATCHERS),
    *_old(shapes.MATCHERS),
    *_old(names_match.MATCHERS),
)
FINDING_FIXES: tuple[FindingFix, ...] = (
    *silent.FINDING_FIXES,
    *randomness.FINDING_FIXES,
    *values.FINDING_FIXES,
    *static_args.FINDING_FIXES,
    *arrays.FINDING_FIXES,
    *gradients.FINDING_FIXES,
    *control_flow.FINDING_FIXES,
    *vmap.FINDING_FIXES,
)
