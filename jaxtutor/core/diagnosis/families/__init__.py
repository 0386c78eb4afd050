"""Lists the rules of all families, the more specific before the more general."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families import (
    arrays,
    booleans,
    control_flow,
    sizes,
    static_args,
    values,
)
from jaxtutor.core.diagnosis.families.arguments import match as arguments_match
from jaxtutor.core.diagnosis.families.arguments import shapes
from jaxtutor.core.diagnosis.families.devices import match as devices_match
from jaxtutor.core.diagnosis.families.effects import caches
from jaxtutor.core.diagnosis.families.effects import match as effects_match
from jaxtutor.core.diagnosis.families.gradients import match as gradients_match
from jaxtutor.core.diagnosis.families.names import match as names_match
from jaxtutor.core.diagnosis.families.randomness import match as randomness_match
from jaxtutor.core.diagnosis.families.silent import match as silent_match
from jaxtutor.core.diagnosis.families.vmap import match as vmap_match
from jaxtutor.core.diagnosis.rules import FindingFix, Rule, rule


def _old(matchers): return tuple(rule(s, m, of_any_class=True) for s, m in matchers)


RULES: tuple[Rule, ...] = (
    *_old(effects_match.MATCHERS),
    *_old(caches.MATCHERS),
    *_old(silent_match.MATCHERS),
    *_old(devices_match.MATCHERS),
    *_old(randomness_match.MATCHERS),
    *booleans.RULES,
    *sizes.RULES,
    *values.RULES,
    *static_args.RULES,
    *arrays.RULES,
    *_old(gradients_match.MATCHERS),
    *control_flow.RULES,
    *_old(vmap_match.MATCHERS),
    *_old(arguments_match.MATCHERS),
    *_old(shapes.MATCHERS),
    *_old(names_match.MATCHERS),
)
FINDING_FIXES: tuple[FindingFix, ...] = (
    *values.FINDING_FIXES,
    *static_args.FINDING_FIXES,
    *arrays.FINDING_FIXES,
    *control_flow.FINDING_FIXES,
)
