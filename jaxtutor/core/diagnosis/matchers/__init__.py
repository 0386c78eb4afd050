"""Owns the order in which the matchers are asked, the more specific before the more general."""

from __future__ import annotations

from collections.abc import Callable

from jaxtutor.core.diagnosis.context import FailureContext, Match
from jaxtutor.core.diagnosis.matchers import (
    arrays,
    batching,
    booleans,
    boundary,
    caching,
    control,
    devices,
    differentiation,
    effects,
    names,
    operators,
    randomness,
    shapes,
    sizes,
    statics,
    trees,
    values,
)

Matcher = Callable[[FailureContext], Match | None]

MATCHERS: tuple[tuple[str, Matcher], ...] = (
    *effects.MATCHERS,
    *operators.MATCHERS,
    *devices.MATCHERS,
    *randomness.MATCHERS,
    *booleans.MATCHERS,
    *sizes.MATCHERS,
    *caching.MATCHERS,
    *values.MATCHERS,
    *statics.MATCHERS,
    *arrays.MATCHERS,
    *differentiation.MATCHERS,
    *control.MATCHERS,
    *trees.MATCHERS,
    *boundary.MATCHERS,
    *batching.MATCHERS,
    *shapes.MATCHERS,
    *names.MATCHERS,
)
