"""Lists the matchers of all families, the more specific before the more general."""

from __future__ import annotations

from collections.abc import Callable

from jaxtutor.core.diagnosis.context import FailureContext, Match
from jaxtutor.core.diagnosis.families.arguments import match as arguments
from jaxtutor.core.diagnosis.families.arguments import shapes as shapes
from jaxtutor.core.diagnosis.families.arrays import match as arrays
from jaxtutor.core.diagnosis.families.booleans import match as booleans
from jaxtutor.core.diagnosis.families.control_flow import match as control_flow
from jaxtutor.core.diagnosis.families.control_flow import trees as trees
from jaxtutor.core.diagnosis.families.devices import match as devices
from jaxtutor.core.diagnosis.families.effects import caches as caches
from jaxtutor.core.diagnosis.families.effects import match as effects
from jaxtutor.core.diagnosis.families.gradients import match as gradients
from jaxtutor.core.diagnosis.families.names import match as names
from jaxtutor.core.diagnosis.families.randomness import match as randomness
from jaxtutor.core.diagnosis.families.silent import match as silent
from jaxtutor.core.diagnosis.families.sizes import match as sizes
from jaxtutor.core.diagnosis.families.static_args import match as static_args
from jaxtutor.core.diagnosis.families.values import match as values
from jaxtutor.core.diagnosis.families.vmap import match as vmap

Matcher = Callable[[FailureContext], Match | None]

MATCHERS: tuple[tuple[str, Matcher], ...] = (
    *effects.MATCHERS,
    *caches.MATCHERS,
    *silent.MATCHERS,
    *devices.MATCHERS,
    *randomness.MATCHERS,
    *booleans.MATCHERS,
    *sizes.MATCHERS,
    *values.MATCHERS,
    *static_args.MATCHERS,
    *arrays.MATCHERS,
    *gradients.MATCHERS,
    *control_flow.MATCHERS,
    *trees.MATCHERS,
    *vmap.MATCHERS,
    *arguments.MATCHERS,
    *shapes.MATCHERS,
    *names.MATCHERS,
)
